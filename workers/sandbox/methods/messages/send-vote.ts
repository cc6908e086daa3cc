import { type CallContext, defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { forumPoll } from '../../examples/seeded-things.ts';
import { getMessage } from '../../model/messages/get-message.ts';
import { pollOf } from '../../model/messages/show-polls.ts';
import { resolvePeer } from '../../model/peers/resolve-peer.ts';
import { POLLS, pollKey } from '../../model/polls/keys.ts';
import { notifyOfVote } from '../../model/polls/notify-of-vote.ts';
import { toPollUpdates } from '../../model/polls/poll-updates.ts';
import { isClosed, type PollRecord, readTally, type Vote, viewPoll } from '../../model/polls/polls.ts';
import { recordVote } from '../../model/polls/record-vote.ts';
import { SEEDED_OPTIONS } from '../../seed/forum.ts';

/**
 * Votes in a poll, changes the vote, or retracts it (no options). Everybody who has the message is notified of the new results, and the
 * poll's creator has an unread vote.
 */
export const sendVote = defineMethod('messages.sendVote', async ({ peer: input, msgId, options }, call) => {
  const peer = await resolvePeer(call, input);
  const found = await getMessage(call, peer, msgId);
  const { id = '' } = pollOf(found.message)?.poll ?? {};
  const [rawPoll, rawVote, tally] = await Promise.all([
    call.tx.observe(POLLS, id),
    call.tx.observe(pollKey('votes', id), call.account.userId),
    readTally(call, id),
  ]);
  if (rawPoll === null) throw new MessengerError('MESSAGE_ID_INVALID');
  const record = JSON.parse(rawPoll) as PollRecord;
  const before = rawVote === null ? null : (JSON.parse(rawVote) as Vote);
  const vote = voteOf(call, record, before, options);
  const isSame = JSON.stringify(vote?.options) === JSON.stringify(before?.options);
  const after = isSame ? tally : await recordVote(call, record, tally, { before, after: vote });
  const own = viewPoll(record, after, { userId: call.account.userId, vote, date: call.date });
  if (!isSame) await notifyOfVote(call, peer, found, { record, tally: after, own, vote });
  return toPollUpdates(call, peer, { msgId, pollId: id, poll: own.poll, results: own.results });
});

function voteOf(
  call: CallContext,
  record: PollRecord,
  before: Vote | null,
  options: readonly string[],
): Vote | null {
  const { poll } = record;
  if (isClosed(record, call.date)) throw new MessengerError('MESSAGE_POLL_CLOSED');
  if (before && (poll.quiz || poll.revotingDisabled)) throw new MessengerError('REVOTE_NOT_ALLOWED');
  if (options.length === 0) return null;
  if (options.length > 1 && !poll.multipleChoice) throw new MessengerError('OPTIONS_TOO_MUCH');
  const known = poll.answers.flatMap((answer) => ('option' in answer ? [answer.option] : []));
  const isKnown = options.every((option) => known.includes(option));
  if (!isKnown || new Set(options).size < options.length) throw new MessengerError('OPTION_INVALID');
  return { options: known.filter((option) => options.includes(option)), date: call.date };
}

export const example: Example<'messages.sendVote'> = async (context) => {
  const poll = await forumPoll(context);
  return poll && { ...poll, options: [SEEDED_OPTIONS[0] ?? ''] };
};
