import type { FieldError } from '../problem.ts';
import { checkExclusiveParams } from './exclusive-params.ts';
import type { TlMethod } from './methods.ts';
import { compileObject, type ObjectCheck } from './object-check.ts';
import { Report } from './report.ts';

/** Params that fit their method, normalised, or their errors (at most 20). */
export type CheckedParams = { ok: true; params: object } | { ok: false; errors: FieldError[] };

// By checks of our own, compiled on first use: a library would build 1,600 schemas at start, and was ten times slower.
const compiled = new Map<string, ObjectCheck>();

/**
 * Checks a method's parsed params against the schema. Returns a copy in one normal form, so that equal params are equal text: fields in
 * the schema's order, bytes in padded standard base64, only set `true` flags, an empty `hash` as `"0"`, without the method's own `_`. A
 * `randomId` that is derived if absent may be absent.
 */
export function validateParams(method: TlMethod, params: unknown): CheckedParams {
  const report = new Report('/params');
  if (typeof params !== 'object' || params === null || Array.isArray(params)) {
    report.add('must be an object');
    return { ok: false, errors: report.errors };
  }
  const checked = checkOf(method)(params as Record<string, unknown>, report, 0);
  checkExclusiveParams(method.name, checked, report);
  return report.errors.length === 0 ? { ok: true, params: checked } : { ok: false, errors: report.errors };
}

function checkOf(method: TlMethod): ObjectCheck {
  let check = compiled.get(method.name);
  if (!check) {
    check = compileObject(method.entry);
    compiled.set(method.name, check);
  }
  return check;
}
