import { type FieldError, Problem } from '../../problem.ts';
import type { TlMethod } from '../../tl/methods.ts';
import { validateParams } from '../../tl/validate-params.ts';

// How many unknown members an error names: the first ones are enough to see the mistake.
const NAMED_MAX = 20;

const NO_PARAMS: FieldError = {
  pointer: '/params',
  detail:
    'The member `params` is missing. It holds the fields of the method: send {} for a method without fields.',
};

/**
 * Whether a call is only to be validated (`?validate=only`). Throws `invalid_query` for any other value, and for an unknown parameter: it
 * may be a misspelt one, and a call that was made cannot be taken back.
 */
export function isOnlyValidated(query: unknown): boolean {
  // Not `Object.keys`: most queries are empty, and every call would pay for the array.
  for (const name in query as object) {
    if (name !== 'validate') throw invalidQuery(name, 'Is unknown here: allowed is `validate`.');
  }
  const { validate } = query as { validate?: string | string[] };
  if (validate === undefined) return false;
  if (validate === 'only') return true;
  throw invalidQuery('validate', 'Must be `only`, once, or left out.');
}

function invalidQuery(name: string, detail: string): Problem {
  return new Problem('invalid_query', { errors: [{ pointer: `/${escapePointer(name)}`, detail }] });
}

/** Reads the members of a body. Throws `invalid_body` for anything but an object, and for an unknown member. */
export function readMembers<Name extends string>(
  body: unknown,
  known: readonly Name[],
): { [Member in Name]?: unknown } {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw invalidBody([
      { pointer: '', detail: `Must be an object with the member \`${known[0]}\`, sent as application/json.` },
    ]);
  }
  const unknown = Object.keys(body).filter((name) => !known.includes(name as Name));
  if (unknown.length > 0) throw invalidBody(describeUnknown(unknown, body, known));
  return body;
}

/** Validates the params of a call. Throws `invalid_body` if they are missing, and `invalid_params` with pointers if they have errors. */
export function readParams(params: unknown, method: TlMethod): object {
  if (params === undefined) throw invalidBody([NO_PARAMS]);
  const checked = validateParams(method, params);
  if (checked.ok) return checked.params;
  const next = `See the fields and an example with GET /v1/methods/${method.name}.`;
  throw new Problem('invalid_params', { errors: checked.errors, next });
}

export function invalidBody(errors: FieldError[]): Problem {
  return new Problem('invalid_body', { errors });
}

function describeUnknown(unknown: string[], body: object, known: readonly string[]): FieldError[] {
  const lacksParams = known.includes('params') && !Object.hasOwn(body, 'params');
  const detail = `Is unknown here: allowed are ${known.map((name) => `\`${name}\``).join(', ')}.`;
  const named = unknown.slice(0, lacksParams ? NAMED_MAX - 1 : NAMED_MAX).map((name) => ({
    pointer: `/${escapePointer(name)}`,
    detail: lacksParams ? 'Move it into `params` if it is a field of the method.' : detail,
  }));
  return lacksParams ? [NO_PARAMS, ...named] : named;
}

/** The first 100 characters of a name, escaped as a part of a JSON pointer. */
export function escapePointer(name: string): string {
  return name.slice(0, 100).replaceAll('~', '~0').replaceAll('/', '~1');
}
