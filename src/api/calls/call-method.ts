import type { MessengerAccount } from '../../directory/collections.ts';
import { findDriverMethods } from '../../directory/driver-methods.ts';
import { Problem } from '../../problem.ts';
import type { RedisConnection } from '../../redis/connections.ts';

/** The problem of a call whose method cannot be called, or is none. */
export function unknownMethod(): Problem {
  return new Problem('unknown_method', { detail: 'The TL schema has no callable method of this name.' });
}

/** Answers `method_not_implemented` where the workers of the account's driver do not execute the method. */
export async function checkExecuted(
  redis: RedisConnection,
  account: MessengerAccount,
  method: string,
): Promise<void> {
  const executed = await findDriverMethods(redis, account.driver);
  if (executed.has(method)) return;
  throw new Problem('method_not_implemented', {
    detail: `${method} is a method of the schema, but the driver ${account.driver} does not execute it.`,
  });
}
