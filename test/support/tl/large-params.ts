import fc from 'fast-check';
import { fieldsOf, type TlField } from '../../../src/tl/field.ts';
import { getSchema, type SchemaEntry } from '../../../src/tl/schema.ts';
import { objectOf, scalarOf } from './tl-arbitraries.ts';

/** Params of which one member is as large as one likes. */
export interface LargeParams {
  /** Which member is large, such as `message` or `media<inputMediaPoll>.poll<poll>.question`. */
  path: string;
  /** The params with so many bytes of it. */
  make(bytes: number): Record<string, unknown>;
}

type Members = Record<string, unknown>;
type Change = (value: unknown) => Members;

const DEPTH_MAX = 2;
const SEED = 1;

const LARGE_TEXTS: Record<string, (bytes: number) => string> = {
  string: (bytes) => 'x'.repeat(bytes),
  bytes: (bytes) => Buffer.alloc((bytes / 4) * 3, 'x').toString('base64'),
};

// What a call is about must be there, or nothing comes of what is large in it.
const SELF: Record<string, object> = {
  InputPeer: { _: 'inputPeerSelf' },
  InputUser: { _: 'inputUserSelf' },
};

/** Every member of a method's params that can grow, one after another; the rest is as in `params`, which fit the method. */
export function* largeParamsOf(method: SchemaEntry, params: Members): Generator<LargeParams> {
  yield* enlarge(method, params, '', 0, (members) => members as Members);
}

function* enlarge(
  entry: SchemaEntry,
  members: Members,
  path: string,
  depth: number,
  change: Change,
): Generator<LargeParams> {
  for (const field of fieldsOf(entry)) {
    const at = path === '' ? field.name : `${path}.${field.name}`;
    const put: Change = (value) => change({ ...members, [field.name]: value });
    const given = members[field.name];
    const text = LARGE_TEXTS[field.type];
    if (field.isVector) yield { path: at, make: (bytes) => put(repeated(given, field, bytes)) };
    else if (text !== undefined) yield { path: at, make: (bytes) => put(text(bytes)) };
    if (depth === DEPTH_MAX || field.type in SELF) continue;
    for (const object of objectsFor(field, given)) {
      const inner = getSchema().constructors.get(String(object._)) as SchemaEntry;
      const putObject: Change = (value) => put(field.isVector ? [value] : value);
      yield* enlarge(inner, object, `${at}<${inner.name}>`, depth + 1, putObject);
    }
  }
}

/** An object of every constructor that a field may hold; the one it holds is taken as it is. */
function objectsFor(field: TlField, given: unknown): Members[] {
  const [held] = (Array.isArray(given) ? given : [given]) as (Members | undefined)[];
  const constructors = getSchema().types.get(field.type) ?? [];
  return constructors.map((entry) =>
    held?._ === entry.name ? held : (withSelf(sampleOf(entry)) as Members),
  );
}

function sampleOf(entry: SchemaEntry): Members {
  const [object] = fc.sample(objectOf(entry), { seed: SEED, numRuns: 1 });
  return object as Members;
}

function withSelf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSelf);
  if (typeof value !== 'object' || value === null) return value;
  const type = getSchema().constructors.get(String((value as Members)._))?.type ?? '';
  if (type in SELF) return SELF[type];
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withSelf(member)]));
}

function repeated(given: unknown, field: TlField, bytes: number): unknown[] {
  const [item = itemFor(field)] = Array.isArray(given) ? given : [];
  return Array(Math.floor(bytes / (JSON.stringify(item).length + 1))).fill(item);
}

function itemFor({ type }: TlField): unknown {
  const [entry] = getSchema().types.get(type) ?? [];
  if (type in SELF) return SELF[type];
  if (entry !== undefined) return withSelf(sampleOf(entry));
  return fc.sample(scalarOf(type), { seed: SEED, numRuns: 1 })[0];
}
