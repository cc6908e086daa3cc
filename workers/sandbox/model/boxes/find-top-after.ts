import { untilSent } from '../../../../src/state/batch-reads.ts';
import type { CallContext } from '../../../driver.ts';
import { type Box, SEQ } from '../common/keys.ts';
import { type FoundMessage, findMessages } from './messages.ts';

/**
 * The newest message of a box's list (`name`) after these are deleted, null if none is left; undefined if the newest one stays. The commit
 * fails if that changes meanwhile.
 */
export async function findTopAfter(
  call: CallContext,
  box: Box,
  name: string,
  deleted: FoundMessage[],
): Promise<FoundMessage | null | undefined> {
  const { tx } = call;
  const removed = new Set(deleted.map(({ message }) => String(message.id)));
  // Read the counter first: a message that arrives between the two reads raises it, so that the commit fails.
  const counting = tx.read.hget(tx.key(SEQ), `msg:${box}`);
  const listing = untilSent().then(() => tx.read.zrevrange(tx.key(name), 0, deleted.length));
  const [last, newest] = await Promise.all([counting, listing]);
  const remaining = newest.find((id) => !removed.has(id));
  // The new newest message must still exist.
  if (remaining !== undefined) tx.expectScore(name, remaining, remaining);
  if (!removed.has(newest[0] ?? '')) return undefined;
  // Nothing may have arrived meanwhile.
  tx.expectField(SEQ, `msg:${box}`, last);
  const [top = null] = remaining === undefined ? [] : await findMessages(call, box, [remaining]);
  return top;
}
