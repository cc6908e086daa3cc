import { findDriverMethods } from '../../directory/driver-methods.ts';
import { notExecuted } from '../../not-executed.ts';
import { Problem } from '../../problem.ts';
import type { RedisConnection } from '../../redis/connections.ts';
import { suggestMethods } from '../../tl/suggest-method.ts';

/** The problem of a call whose method does not exist or cannot be called. It suggests similar names, unless `wrong` is null. */
export function unknownMethod(wrong: string | null): Problem {
  return new Problem('unknown_method', { detail: refusalOfMethod(wrong) });
}

/** The detail of `unknown_method`: similar names, or how to search. */
export function refusalOfMethod(wrong: string | null): string {
  const meant = wrong === null ? [] : suggestMethods(wrong).map((name) => `\`${name}\``);
  const next =
    meant.length === 0
      ? 'GET /v1/methods?search=… finds methods by words.'
      : `did you mean ${meant.join(' or ')}?`;
  return `There is no callable method of this name: ${next}`;
}

/** Rejects with `method_not_implemented` unless the workers of the account's driver execute the method. */
export type CheckExecuted = (driver: string, method: string) => Promise<void>;

/** A check for the calls of one request, which looks up each driver once. */
export function executionCheck(redis: RedisConnection): CheckExecuted {
  const executed = new Map<string, Promise<ReadonlySet<string>>>();
  return async (driver, method) => {
    const methods = executed.get(driver) ?? findDriverMethods(redis, driver);
    executed.set(driver, methods);
    if (!(await methods).has(method)) throw notExecuted(method, driver);
  };
}
