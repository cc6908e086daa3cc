import { type CallContext, MessengerError } from '../../../driver.ts';
import { randomKey } from './keys.ts';

const DAY_S = 24 * 60 * 60;
// The ids of a day are looked up on that day and the next; an hour more allows for clock differences.
const KEPT_MS = (2 * DAY_S + 60 * 60) * 1_000;

// No random id has this form.
const EXPIRES = 'expires';

/**
 * Records that the calling account has sent a message with a random id; the commit fails if another call has recorded it first. An id that
 * the call generated itself and that no answer shows is not recorded.
 */
export type RecordSent = (randomId: string, messageId: number, options?: { isShown: boolean }) => void;

/**
 * Throws `RANDOM_ID_DUPLICATE` if the calling account has sent a message with one of these ids today or yesterday; otherwise returns the
 * function that records them as sent.
 */
export function checkRandomIds(call: CallContext, ...randomIds: string[]): RecordSent | Promise<RecordSent> {
  const day = Math.floor(call.date / DAY_S);
  // An id that only this call can have is no duplicate: a second run of the call, and a repeat under its key, are recognized by the ledger.
  if (call.drawsRandomIds) return recorderIn(call, randomKey(call.account.userId, day), false);
  return checkGivenIds(call, day, randomIds);
}

async function checkGivenIds(call: CallContext, day: number, randomIds: string[]): Promise<RecordSent> {
  if (new Set(randomIds).size < randomIds.length) throw new MessengerError('RANDOM_ID_DUPLICATE');
  const name = randomKey(call.account.userId, day);
  const { read } = call.tx;
  const [[expires, ...today], yesterday] = await Promise.all([
    read.hmget(call.tx.key(name), EXPIRES, ...randomIds),
    read.hmget(call.tx.key(randomKey(call.account.userId, day - 1)), ...randomIds),
  ]);
  const isSent = [...today, ...yesterday].some((sent) => sent !== null);
  if (isSent) throw new MessengerError('RANDOM_ID_DUPLICATE');
  return recorderIn(call, name, expires !== null);
}

function recorderIn(call: CallContext, name: string, expires: boolean): RecordSent {
  const { tx, drawsRandomIds } = call;
  let expiresAlready = expires;
  return (randomId, messageId, { isShown } = { isShown: true }) => {
    if (drawsRandomIds && !isShown) return;
    if (!drawsRandomIds) tx.expectField(name, randomId, null);
    tx.hset(name, randomId, `${messageId}`);
    if (expiresAlready) return;
    expiresAlready = true;
    tx.hset(name, EXPIRES, '1');
    tx.expire(name, 'h', KEPT_MS);
  };
}
