import type { Update } from '../../../../src/tl/tl-json.ts';
import { type CallContext, MessengerError } from '../../../driver.ts';
import type { FoundMessage } from '../boxes/messages.ts';
import type { Peer } from '../peers/peer.ts';
import { toTlPeer } from '../peers/tl-peer.ts';
import { POLLS } from './keys.ts';
import { notifyOfResults } from './notify-of-vote.ts';
import { findVote, isClosed, type PollRecord, readTally, viewPoll } from './polls.ts';
import { raiseTotals } from './record-vote.ts';

/**
 * Closes the poll of a message for everybody: nobody can vote any more, and all see the results. Errors: `MESSAGE_NOT_MODIFIED` if it is
 * already closed, `MEDIA_PREV_INVALID` if it no longer exists, `MESSAGE_AUTHOR_REQUIRED` if it is another user's.
 */
export async function closePoll(
  call: CallContext,
  peer: Peer,
  found: FoundMessage,
  pollId: string,
): Promise<Update> {
  const { tx, account, date } = call;
  const [raw, tally, vote] = await Promise.all([
    tx.observe(POLLS, pollId),
    readTally(call, pollId),
    findVote(call, pollId, account.userId),
  ]);
  if (raw === null) throw new MessengerError('MEDIA_PREV_INVALID');
  const open = JSON.parse(raw) as PollRecord;
  if (!mayClose(open)) throw new MessengerError('MESSAGE_AUTHOR_REQUIRED');
  if (isClosed(open, date)) throw new MessengerError('MESSAGE_NOT_MODIFIED');
  const record: PollRecord = { ...open, poll: { ...open.poll, closed: true } };
  tx.hset(POLLS, pollId, record);
  // The votes that come before this commit count.
  const last = { ...tally, ...raiseTotals(call, record) };
  const own = viewPoll(record, last, { userId: account.userId, vote, date });
  await notifyOfResults(call, peer, found, { record, tally: last, own, withPoll: true });
  const { poll, results } = own;
  return { _: 'updateMessagePoll', peer: toTlPeer(peer), msgId: found.message.id, pollId, poll, results };

  // A forward without its origin is the forwarder's own message, but still shows another user's poll.
  function mayClose({ creatorId, origin }: PollRecord): boolean {
    return creatorId === account.userId || (origin?.peer === peer.key && origin.msgId === found.message.id);
  }
}
