import type { FieldError } from '../problem.ts';
import { compileObject } from './object-check.ts';
import { Report } from './report.ts';
import { getSchema } from './schema.ts';

/** Checks an object of a constructor: returns it normalised like params, or its errors, whose pointers begin with `root`. */
export function validateObject(
  name: string,
  value: Record<string, unknown>,
  root: string,
): { ok: true; value: object } | { ok: false; errors: FieldError[] } {
  const entry = getSchema().constructors.get(name);
  if (!entry) throw new TypeError(`The schema has no constructor ${name}.`);
  const report = new Report(root);
  const checked = compileObject(entry)(value, report, 0);
  return report.errors.length === 0 ? { ok: true, value: checked } : { ok: false, errors: report.errors };
}
