import type { CallContext } from '../../../driver.ts';

/** The newest message id of each list of messages; 0 for an empty list. */
export async function readTopIds(call: CallContext, names: readonly string[]): Promise<number[]> {
  const found = await Promise.all(names.map((name) => call.tx.read.zrevrange(call.tx.key(name), 0, 0)));
  return found.map(([id]) => Number(id ?? 0));
}
