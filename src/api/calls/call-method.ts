import { findDriverMethods } from '../../directory/driver-methods.ts';
import { Problem } from '../../problem.ts';
import type { RedisConnection } from '../../redis/connections.ts';

/** The problem of a call whose method does not exist or cannot be called. */
export function unknownMethod(): Problem {
  return new Problem('unknown_method', { detail: 'The TL schema has no callable method of this name.' });
}

/** Throws `method_not_implemented` unless the workers of the account's driver execute the method. */
export async function checkExecuted(redis: RedisConnection, driver: string, method: string): Promise<void> {
  const executed = await findDriverMethods(redis, driver);
  if (executed.has(method)) return;
  throw new Problem('method_not_implemented', {
    detail: `${method} is a method of the schema, but the driver ${driver} does not execute it.`,
  });
}
