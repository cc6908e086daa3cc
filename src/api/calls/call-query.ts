import { Problem } from '../../problem.ts';

/** Whether a call is to be checked and not run (`?validate=only`); `invalid_query` for any other way to ask. */
export function isOnlyValidated(query: unknown): boolean {
  const { validate } = query as { validate?: string | string[] };
  if (validate === undefined) return false;
  if (validate === 'only') return true;
  throw new Problem('invalid_query', {
    errors: [{ pointer: '/validate', detail: 'The only value is `only`.' }],
  });
}
