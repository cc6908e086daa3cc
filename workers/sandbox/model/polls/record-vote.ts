import type { CallContext } from '../../../driver.ts';
import { historyKey } from '../boxes/keys.ts';
import { findChannels } from '../chats/chats.ts';
import { pollVotesKey } from '../conversations/keys.ts';
import { arePresent } from '../conversations/message-readers.ts';
import { pollKey, TURN } from './keys.ts';
import { findOriginScore, type PollOrigin, type PollRecord, type Vote, type VoteTally } from './polls.ts';

/** A vote before and after it is changed; the same if it is not. */
interface VoteChange {
  before: Vote | null;
  after: Vote | null;
}

/** Counts a changed vote of the calling account, and marks it as unread for the poll's creator. Returns the new tally. */
export async function recordVote(
  call: CallContext,
  record: PollRecord,
  tally: VoteTally,
  change: VoteChange,
): Promise<VoteTally> {
  const { tx, account } = call;
  const { id } = record.poll;
  const totals = raiseTotals(call, record, change);
  const recent = tally.recent.filter(({ userId }) => userId !== account.userId);
  if (change.after) {
    tx.hset(pollKey('votes', id), account.userId, change.after);
    tx.zadd(pollKey('voters', id), call.date, account.userId);
    recent.unshift({ userId: account.userId, options: change.after.options });
  } else {
    tx.hdel(pollKey('votes', id), account.userId);
    tx.zrem(pollKey('voters', id), account.userId);
  }
  const unseen = await markUnseen(call, record, tally, change.after !== null);
  tx.hincrby(pollKey('tally', id), TURN, 1);
  return { ...totals, recent, unseen };
}

/** Changes how many have voted, and returns the totals as placeholders: others vote at the same time, so only the commit knows them. */
export function raiseTotals(
  { tx }: CallContext,
  { poll: { id, answers } }: PollRecord,
  { before, after }: VoteChange = { before: null, after: null },
): Pick<VoteTally, 'counts' | 'voters'> {
  const key = pollKey('tally', id);
  const chosen = (vote: Vote | null, option: string) => Number(vote?.options.includes(option) ?? false);
  const options = answers.flatMap((answer) => ('option' in answer ? [answer.option] : []));
  const counts = options.map((option) => {
    return [option, tx.allocate(key, option, chosen(after, option) - chosen(before, option))] as const;
  });
  const voters = tx.allocate(key, 'voters', Number(after !== null) - Number(before !== null));
  return { counts: Object.fromEntries(counts), voters };
}

async function markUnseen(
  call: CallContext,
  { poll: { id }, creatorId, origin }: PollRecord,
  { unseen }: VoteTally,
  voted: boolean,
): Promise<number> {
  const { tx, account } = call;
  if (origin === null || creatorId === account.userId) return unseen;
  const key = pollKey('new-votes', id);
  const lists = [pollVotesKey(creatorId, origin.peer)];
  if (origin.thread) lists.push(pollVotesKey(creatorId, origin.peer, origin.thread));
  const [isMember, there, reads] = await Promise.all([
    tx.read.sismember(tx.key(key), String(account.userId)),
    findOriginScore(call, creatorId, origin),
    isReader(call, creatorId, origin),
  ]);
  const known = isMember === 1;
  if (voted) {
    // A creator that has deleted its poll, or has left its channel, cannot read the votes that its forwards get.
    if (there === null || !reads) return unseen;
    tx.expectScore(historyKey(creatorId, origin.peer), origin.msgId, there);
    tx.sadd(key, account.userId);
    for (const list of lists) tx.zadd(list, origin.msgId, origin.msgId);
    return known ? unseen : unseen + 1;
  }
  if (!known) return unseen;
  // If this was the only unread vote, none is left, unless another user votes meanwhile.
  await tx.observe(pollKey('tally', id), TURN);
  tx.srem(key, account.userId);
  const left = Math.max(0, (await tx.read.scard(tx.key(key))) - 1);
  if (left === 0) for (const list of lists) tx.zrem(list, origin.msgId);
  return left;
}

async function isReader(call: CallContext, userId: number, { peer }: PollOrigin): Promise<boolean> {
  if (!peer.startsWith('c')) return true;
  const id = Number(peer.slice(1));
  const [channel] = await findChannels(call, [id]);
  const [isPresent = false] = channel ? await arePresent(call, { id, channel }, [userId]) : [];
  return isPresent;
}
