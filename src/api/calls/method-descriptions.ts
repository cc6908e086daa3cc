import { messengerProblem } from '../../messenger-problem.ts';
import { isReadOnly } from '../../tl/is-read-only.ts';
import { standaloneParamsSchema } from '../../tl/json-schema.ts';
import type { TlMethod } from '../../tl/methods.ts';
import { resultTags } from '../../tl/result-tags.ts';
import { SANDBOX_DIFFERENCES } from '../openapi/sandbox-differences.ts';

/** What only workers know about a method. */
export interface Execution {
  executed: boolean;
  drivers: readonly string[];
  example: { params: object } | null;
}

// By method, as JSON. Together they take 8 MB, so each is made at its first request.
const constantParts = new Map<string, string>();

/** The complete description of a method, as JSON. */
export function describeMethod(method: TlMethod, execution: Execution): string {
  let constant = constantParts.get(method.name);
  if (constant === undefined) {
    constant = describeConstantPart(method);
    constantParts.set(method.name, constant);
  }
  return `${constant.slice(0, -1)},${JSON.stringify(execution).slice(1)}`;
}

function describeConstantPart(method: TlMethod): string {
  const { name, purpose } = method;
  const errors = method.throws.map(({ name: code, comment }) => ({
    code,
    status: messengerProblem(code.replace('%d', '1'), name).status,
    ...(comment?.trim() ? { detail: comment.trim() } : {}),
  }));
  const brief = JSON.stringify({ name, purpose, readOnly: isReadOnly(name) });
  const rest = JSON.stringify({
    resultTypes: resultTags(method),
    errors,
    sandboxDifference: SANDBOX_DIFFERENCES[name] ?? null,
  });
  return `${brief.slice(0, -1)},"paramsSchema":${standaloneParamsSchema(method)},${rest.slice(1)}`;
}
