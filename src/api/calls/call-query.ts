import { Problem } from '../../problem.ts';

/** Whether a call is only to be validated (`?validate=only`). Throws `invalid_query` for any other value. */
export function isOnlyValidated(query: unknown): boolean {
  const { validate } = query as { validate?: string | string[] };
  if (validate === undefined) return false;
  if (validate === 'only') return true;
  throw new Problem('invalid_query', {
    errors: [{ pointer: '/validate', detail: 'The only value is `only`.' }],
  });
}
