import type { FieldError } from '../problem.ts';
import { checkCrossFields } from './cross-fields.ts';
import type { TlMethod } from './methods.ts';
import { compileObject, type ObjectCheck } from './object-check.ts';
import { Report } from './report.ts';

/** Params that fit their method, normalised, or what is wrong with them (at most 20 places). */
export type CheckedParams = { ok: true; params: object } | { ok: false; errors: FieldError[] };

const compiled = new Map<string, ObjectCheck>();

/**
 * Checks a method's params (from JSON) against the schema. In what comes back longs are canonical decimal strings, bytes are
 * standard base64, `true` flags are there only when set, and the method's own `_` is gone. The check of a method is compiled
 * when it is first used.
 */
export function validateParams(method: TlMethod, params: unknown): CheckedParams {
  const report = new Report('/params');
  if (typeof params !== 'object' || params === null || Array.isArray(params)) {
    report.add('must be an object');
    return { ok: false, errors: report.errors };
  }
  const checked = checkOf(method)(params as Record<string, unknown>, report, 0);
  if (report.errors.length === 0) checkCrossFields(method.name, checked, report);
  return report.errors.length === 0 ? { ok: true, params: checked } : { ok: false, errors: report.errors };
}

function checkOf(method: TlMethod): ObjectCheck {
  let check = compiled.get(method.name);
  if (!check) {
    check = compileObject(method.entry, { dropTag: true });
    compiled.set(method.name, check);
  }
  return check;
}
