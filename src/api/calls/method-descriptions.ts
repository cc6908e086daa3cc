import { setImmediate as nextTurn } from 'node:timers/promises';
import { PAGE_BYTES } from '../../directory/lists.ts';
import { isReadOnly } from '../../tl/is-read-only.ts';
import { standaloneParamsSchema } from '../../tl/json-schema.ts';
import { listMethods, type TlMethod } from '../../tl/methods.ts';
import { resultTags } from '../../tl/result-tags.ts';

const SLICE_MS = 5;

/** The constant parts of a method's description, as JSON around the others. */
interface Parts {
  beforeExecuted: string;
  behindExecuted: string;
}

/** The descriptions of methods as JSON, each made when it is first needed: together they have 8 MB. */
export class MethodDescriptions {
  private readonly methods = new Map(listMethods().map((method) => [method.name, method]));
  private readonly made = new Map<string, Parts>();
  /** The names of all methods, sorted. */
  readonly names: readonly string[] = [...this.methods.keys()];

  /** Makes the missing ones, yielding to the event loop in between. */
  async prepare(names: readonly string[]): Promise<void> {
    let until = performance.now() + SLICE_MS;
    for (const name of names) {
      if (this.made.has(name)) continue;
      this.made.set(name, describe(this.methods.get(name) as TlMethod));
      if (performance.now() < until) continue;
      await nextTurn();
      until = performance.now() + SLICE_MS;
    }
  }

  /** How many of these, from the first on, fit on a page. They must be prepared. */
  countFitting(names: readonly string[]): number {
    let room = PAGE_BYTES;
    const end = names.findIndex((name, index) => {
      room -= this.partsOf(name).behindExecuted.length;
      return room < 0 && index > 0;
    });
    return end === -1 ? names.length : end;
  }

  /** One description. It must be prepared. */
  show(name: string, isExecuted: boolean, exampleParams: object | undefined): string {
    const { beforeExecuted, behindExecuted } = this.partsOf(name);
    const example = exampleParams === undefined ? null : { params: exampleParams };
    return `${beforeExecuted}${isExecuted}${behindExecuted}${JSON.stringify(example)}}`;
  }

  private partsOf(name: string): Parts {
    const parts = this.made.get(name);
    if (parts === undefined) throw new Error(`The description of ${name} was not prepared.`);
    return parts;
  }
}

function describe(method: TlMethod): Parts {
  const { name, purpose } = method;
  const errors = method.throws.map(({ name: code, code: status, comment }) => ({
    code,
    status,
    ...(comment?.trim() ? { detail: comment.trim() } : {}),
  }));
  const schema = standaloneParamsSchema(method);
  const types = JSON.stringify(resultTags(method));
  return {
    beforeExecuted: `${JSON.stringify({ name, purpose }).slice(0, -1)},"executed":`,
    behindExecuted:
      `,"readOnly":${isReadOnly(name)},"paramsSchema":${schema},` +
      `"resultTypes":${types},"errors":${JSON.stringify(errors)},"example":`,
  };
}
