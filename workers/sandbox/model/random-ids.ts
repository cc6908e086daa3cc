import { type CallContext, MessengerError } from '../../driver.ts';
import { randomKey } from './state-keys.ts';

const DAY_S = 24 * 60 * 60;
const KEPT_MS = 2 * DAY_S * 1_000;

/** Throws `RANDOM_ID_DUPLICATE` if the calling account has sent a message with one of these ids today or yesterday. */
export async function refuseSentRandomId(call: CallContext, ...randomIds: string[]): Promise<void> {
  if (randomIds.length === 0) return;
  if (new Set(randomIds).size < randomIds.length) throw new MessengerError('RANDOM_ID_DUPLICATE');
  const days = [today(call), today(call) - 1];
  const found = await Promise.all(
    days.map((day) => call.tx.read.hmget(call.tx.key(randomKey(call.account.userId, day)), ...randomIds)),
  );
  if (found.flat().some((sent) => sent !== null)) throw new MessengerError('RANDOM_ID_DUPLICATE');
}

/**
 * Remembers that the account has sent a message with this id; the commit fails if another call was faster with it. The last of
 * several in one commit renews how long they are kept.
 */
export function claimRandomId(
  call: CallContext,
  randomId: string,
  messageId: number,
  { isLast }: { isLast: boolean } = { isLast: true },
): void {
  const name = randomKey(call.account.userId, today(call));
  call.tx.expectField(name, randomId, null);
  call.tx.hset(name, randomId, `${messageId}`);
  if (isLast) call.tx.expire(name, 'h', KEPT_MS);
}

function today(call: CallContext): number {
  return Math.floor(call.date / DAY_S);
}
