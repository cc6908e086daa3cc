import type { Update } from '../../../../src/tl/tl-json.ts';
import type { CallContext } from '../../../driver.ts';
import type { FoundMessage } from '../boxes/messages.ts';
import { SEQ, userBox } from '../common/keys.ts';
import { listMessageReaders } from '../conversations/message-readers.ts';
import type { Peer } from '../peers/peer.ts';
import { toTlPeer } from '../peers/tl-peer.ts';
import { findUser, targetOf } from '../people/users.ts';
import { pollKey } from './keys.ts';
import { type PollRecord, type Tally, type Vote, viewPoll } from './polls.ts';

/** Notifies everybody who has a poll's message, and its creator, of the results after a vote of the calling account. */
export async function notifyOfVote(
  call: CallContext,
  peer: Peer,
  found: FoundMessage,
  { record, tally, vote }: { record: PollRecord; tally: Tally; vote: Vote | null },
): Promise<void> {
  const { tx, account, date } = call;
  const readers = await listMessageReaders(call, peer, found);
  const others = readers.filter(({ user }) => user.id !== account.userId && user.id !== record.creatorId);
  const votes = await readVotes(
    call,
    record.poll.id,
    others.map(({ user }) => user.id),
  );
  for (const [i, { user, peer: known, msgId }] of others.entries()) {
    const { results } = viewPoll(record, tally, { userId: user.id, vote: votes[i] ?? null, date });
    tx.update(targetOf(user), toUpdate(record, { peer: known, msgId }, results));
  }
  await notifyCreator(call, { record, tally, vote });
}

async function notifyCreator(
  call: CallContext,
  { record, tally, vote }: { record: PollRecord; tally: Tally; vote: Vote | null },
): Promise<void> {
  const { tx, account, date } = call;
  const { creatorId, origin, poll } = record;
  if (creatorId === account.userId || origin === null) return;
  const creator = await findUser(call, creatorId);
  if (!creator) return;
  const [own = null] = await readVotes(call, poll.id, [creatorId]);
  const { results } = viewPoll(record, tally, { userId: creatorId, vote: own, date });
  const known = { peer: peerOfKey(origin.peer), msgId: origin.msgId };
  tx.update(targetOf(creator), toUpdate(record, known, results));
  if (!creator.bot || !poll.publicVoters) return;
  const options = vote?.options ?? [];
  tx.update(targetOf(creator), {
    _: 'updateMessagePollVote',
    pollId: poll.id,
    peer: toTlPeer({ kind: 'user', id: account.userId }),
    options,
    positions: poll.answers.flatMap((answer, i) =>
      'option' in answer && options.includes(answer.option) ? [i] : [],
    ),
    qts: tx.allocate(SEQ, `qts:${userBox(creatorId)}`),
  });
}

async function readVotes(
  call: CallContext,
  pollId: string,
  userIds: readonly number[],
): Promise<(Vote | null)[]> {
  if (userIds.length === 0) return [];
  const found = await call.tx.read.hmget(call.tx.key(pollKey('votes', pollId)), ...userIds.map(String));
  return found.map((raw) => (raw === null ? null : (JSON.parse(raw) as Vote)));
}

function toUpdate(
  { poll }: PollRecord,
  known: { peer: ReturnType<typeof toTlPeer>; msgId: number },
  results: ReturnType<typeof viewPoll>['results'],
): Update {
  return { _: 'updateMessagePoll', ...known, pollId: poll.id, results };
}

function peerOfKey(key: string): ReturnType<typeof toTlPeer> {
  const kinds = { u: 'user', g: 'chat', c: 'channel' } as const;
  return toTlPeer({ kind: kinds[key[0] as keyof typeof kinds], id: Number(key.slice(1)) });
}
