import type { Update } from '../../../../src/tl/tl-json.ts';
import type { CallContext } from '../../../driver.ts';
import type { FoundMessage } from '../boxes/messages.ts';
import { SEQ, userBox } from '../common/keys.ts';
import { listMessageReaders } from '../conversations/message-readers.ts';
import type { Peer } from '../peers/peer.ts';
import { peerKeyOf, type TlPeer, toTlPeer, toTlPeerOfKey } from '../peers/tl-peer.ts';
import { findUser, notifyOwnSessions, targetOf, type UserRecord } from '../people/users.ts';
import { pollKey } from './keys.ts';
import {
  findOriginScore,
  type PollRecord,
  type ViewedPoll,
  type Vote,
  type VoteTally,
  viewPoll,
} from './polls.ts';

interface Voted {
  record: PollRecord;
  tally: VoteTally;
  /** The poll as the calling account sees it. */
  own: ViewedPoll;
}

/** What an update shows of a poll: its results, and if it has changed the poll itself. */
interface ShownPoll extends Pick<ViewedPoll, 'results'> {
  poll?: ViewedPoll['poll'] | undefined;
}

/**
 * Notifies everybody who has a poll's message, and its creator, of the results after a vote of the calling account, whose other sessions hear
 * of it too.
 */
export async function notifyOfVote(
  call: CallContext,
  peer: Peer,
  found: FoundMessage,
  { vote, ...voted }: Voted & { vote: Vote | null },
): Promise<void> {
  const creator = await notifyOfResults(call, peer, found, voted);
  if (creator?.bot && voted.record.poll.publicVoters) notifyBot(call, creator, voted.record, vote);
}

/**
 * Notifies the same users of a poll's results when no vote has changed, for example when it is closed; with `withPoll`, of the poll itself
 * too. Returns its creator, if that is another user.
 */
export async function notifyOfResults(
  call: CallContext,
  peer: Peer,
  found: FoundMessage,
  { withPoll = false, ...voted }: Voted & { withPoll?: boolean },
): Promise<UserRecord | null> {
  const { tx, account, date } = call;
  const { record, tally, own } = voted;
  const { id: pollId } = record.poll;
  const shownOf = ({ poll, results }: ViewedPoll): ShownPoll => (withPoll ? { poll, results } : { results });
  const here = { peer: toTlPeer(peer), msgId: found.message.id };
  notifyOwnSessions(call, toUpdate(pollId, shownOf(own), here));
  const readers = await listMessageReaders(call, peer, found);
  const others = readers.filter(({ user }) => user.id !== account.userId && user.id !== record.creatorId);
  const votes = await readVotes(
    call,
    pollId,
    others.map(({ user }) => user.id),
  );
  const viewFor = shareViews(call, { ...voted, withPoll });
  for (const [i, { user, peer: known, msgId }] of others.entries()) {
    tx.update(targetOf(user), toUpdate(pollId, viewFor(user.id, votes[i] ?? null), { peer: known, msgId }));
  }
  const { creatorId, origin } = record;
  // A former member is not told what happens in the group.
  const isOrigin = peer.kind !== 'user' && origin?.peer === peer.key;
  const isGone = isOrigin && !readers.some(({ user }) => user.id === creatorId);
  if (creatorId === account.userId || origin === null || isGone) return null;
  const creator = await findUser(call, creatorId);
  if (!creator) return null;
  const [[vote = null], there] = await Promise.all([
    readVotes(call, pollId, [creatorId]),
    findOriginScore(call, creatorId, origin),
  ]);
  // A creator that has deleted its own message may still have a forward.
  const isDeleted = (at: { peer: TlPeer; msgId: number }) =>
    at.msgId === origin.msgId && peerKeyOf(at.peer) === origin.peer;
  const forward = readers.find((reader) => reader.user.id === creatorId && !isDeleted(reader));
  const known = there === null ? forward : { peer: toTlPeerOfKey(origin.peer), msgId: origin.msgId };
  if (!known) return creator;
  const viewed = viewPoll(record, tally, { userId: creatorId, vote, date });
  const at = { peer: known.peer, msgId: known.msgId };
  tx.update(targetOf(creator), toUpdate(pollId, shownOf(viewed), at));
  return creator;
}

// The poll as users other than its creator see it. All who have voted alike see the same, and a poll may be long.
function shareViews(
  { tx, date }: CallContext,
  { record, tally, withPoll }: Voted & { withPoll: boolean },
): (userId: number, vote: Vote | null) => ShownPoll {
  let poll: ViewedPoll['poll'] | undefined;
  const view = (userId: number, vote: Vote | null): ShownPoll => {
    const viewed = viewPoll(record, tally, { userId, vote, date });
    if (withPoll) poll ??= tx.share(viewed.poll);
    return { poll, results: tx.share(viewed.results) };
  };
  const byVote = new Map<string, ShownPoll>();
  return (userId, vote) => {
    const choice = JSON.stringify(vote?.options ?? null);
    const shown = byVote.get(choice) ?? view(userId, vote);
    byVote.set(choice, shown);
    return shown;
  };
}

function notifyBot(
  { tx, account }: CallContext,
  bot: UserRecord,
  { poll }: PollRecord,
  vote: Vote | null,
): void {
  const options = vote?.options ?? [];
  tx.update(targetOf(bot), {
    _: 'updateMessagePollVote',
    pollId: poll.id,
    peer: toTlPeer({ kind: 'user', id: account.userId }),
    options,
    positions: poll.answers.flatMap((answer, i) =>
      'option' in answer && options.includes(answer.option) ? [i] : [],
    ),
    qts: tx.allocate(SEQ, `qts:${userBox(bot.id)}`),
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
  pollId: string,
  { poll, results }: ShownPoll,
  known: { peer: TlPeer; msgId: number },
): Update {
  return { _: 'updateMessagePoll', ...known, pollId, ...(poll ? { poll } : {}), results };
}
