import type { tl } from '@mtcute/core';
import { untilSent } from '../../../../src/state/batch-reads.ts';
import type { TlJson } from '../../../../src/tl/tl-json.ts';
import { type CallContext, MessengerError } from '../../../driver.ts';
import { historyKey } from '../boxes/keys.ts';
import type { PeerKey, Thread } from '../common/keys.ts';
import { hashOfIds } from '../common/list-hash.ts';
import type { Peer } from '../peers/peer.ts';
import { POLLS, pollKey, TURN } from './keys.ts';

export type Poll = TlJson<tl.RawPoll>;
export type PollResults = TlJson<tl.RawPollResults>;
export type PollMedia = TlJson<tl.RawMessageMediaPoll>;

// No user has this id.
const NOBODY = 0;

/** A poll. All messages that show it, including forwards, share it. */
export interface PollRecord {
  poll: Poll;
  creatorId: number;
  /** The correct options of a quiz. */
  correct: string[];
  solution: Pick<PollResults, 'solution' | 'solutionEntities' | 'solutionMedia'>;
  attachedMedia?: TlJson<tl.TypeMessageMedia>;
  /** Where its creator sent it. */
  origin: PollOrigin | null;
}

/** The message in which a poll was sent, as its creator has it. */
export interface PollOrigin {
  peer: PeerKey;
  msgId: number;
  thread?: Thread;
}

/** What one user chose. */
export interface Vote {
  options: string[];
  date: number;
}

/** A poll with its votes, as far as one user may see them. */
export interface ViewedPoll {
  record: PollRecord;
  poll: Poll;
  results: PollResults;
}

const RECENT_VOTERS = 3;

/** The poll of this id, or null. */
export async function findPoll(call: CallContext, id: string): Promise<PollRecord | null> {
  const raw = await call.tx.read.hget(call.tx.key(POLLS), id);
  call.tx.charactersRead += raw?.length ?? 0;
  return raw === null ? null : (JSON.parse(raw) as PollRecord);
}

/** What a user chose in a poll, or null. */
export async function findVote(call: CallContext, pollId: string, userId: number): Promise<Vote | null> {
  const raw = await call.tx.read.hget(call.tx.key(pollKey('votes', pollId)), String(userId));
  return raw === null ? null : (JSON.parse(raw) as Vote);
}

/**
 * The score of the message in which a poll was sent, in its creator's history; null if it is gone there. The poll may live on in forwards.
 */
export async function findOriginScore(
  { tx }: CallContext,
  creatorId: number,
  { peer, msgId }: PollOrigin,
): Promise<string | null> {
  return tx.read.zscore(tx.key(historyKey(creatorId, peer)), String(msgId));
}

/** Whether nobody can vote any more. */
export function isClosed({ poll }: PollRecord, date: number): boolean {
  return poll.closed === true || (poll.closeDate !== undefined && poll.closeDate <= date);
}

/** Throws `BROADCAST_PUBLIC_VOTERS_FORBIDDEN` for a poll with public voters that would be sent to a broadcast channel. */
export function refusePublicVoters(media: TlJson<tl.TypeMessageMedia> | undefined, to: Peer): void {
  const isPublic = media?._ === 'messageMediaPoll' && media.poll.publicVoters === true;
  if (isPublic && to.kind === 'channel' && to.channel.kind === 'broadcast') {
    throw new MessengerError('BROADCAST_PUBLIC_VOTERS_FORBIDDEN');
  }
}

/** The votes of a poll as they are counted. */
export interface VoteTally {
  /** How many chose each option. */
  counts: Record<string, number>;
  voters: number;
  /** The latest voters and their votes, newest first; more than are shown. */
  recent: { userId: number; options: readonly string[] }[];
  /** Votes the creator has not seen. */
  unseen: number;
}

/** The counted votes of a poll. */
export async function readTally(call: CallContext, pollId: string): Promise<VoteTally> {
  const { read } = call.tx;
  const key = (kind: Parameters<typeof pollKey>[0]) => call.tx.key(pollKey(kind, pollId));
  const [tally, recent, unseen] = await Promise.all([
    read.hgetall(key('tally')),
    // One more than are shown, as the latest may take its vote back.
    read.zrevrange(key('voters'), 0, RECENT_VOTERS),
    read.scard(key('new-votes')),
  ]);
  const { voters = '0', [TURN]: _, ...counts } = tally;
  const votes = recent.length > 0 ? await read.hmget(key('votes'), ...recent) : [];
  return {
    counts: Object.fromEntries(Object.entries(counts).map(([option, count]) => [option, Number(count)])),
    voters: Number(voters),
    recent: recent.map((userId, i) => ({
      userId: Number(userId),
      options: (JSON.parse(votes[i] ?? '{"options":[]}') as Vote).options,
    })),
    unseen,
  };
}

/**
 * A poll as a user sees it. The counts are shown to the poll's creator, when the poll is closed, and, if they are not hidden until then, to who
 * has voted; else a voter sees only its own choice. A quiz shows the correct options and the explanation only after the user has answered.
 */
export function viewPoll(
  record: PollRecord,
  counted: VoteTally,
  viewer: { userId: number; vote: Vote | null; date: number },
): ViewedPoll {
  const tally = { ...counted, recent: counted.recent.slice(0, RECENT_VOTERS) };
  const closed = isClosed(record, viewer.date);
  const own = record.creatorId === viewer.userId;
  const answered = closed || viewer.vote !== null;
  const poll: Poll = {
    ...record.poll,
    // A reader that asks by the hash of the open poll must see that it is closed now.
    ...(closed ? { closed: true, hash: hashOfIds([record.poll.hash, 1]) } : {}),
    ...(own ? { creator: true } : {}),
  };
  const shown = closed || own || (answered && record.poll.hideResultsUntilClose !== true);
  const results: PollResults = {
    _: 'pollResults',
    ...(own && tally.unseen > 0 ? { hasUnreadVotes: true } : {}),
    ...(shown || answered
      ? {
          results: record.poll.answers.flatMap((answer) =>
            votersOf(answer, record, shown ? tally : null, viewer),
          ),
        }
      : {}),
    totalVoters: tally.voters,
    ...(record.poll.publicVoters && shown && tally.recent.length > 0
      ? { recentVoters: tally.recent.map(toVoter) }
      : {}),
    ...(answered ? record.solution : {}),
  };
  return { record, poll, results };
}

/** The polls of these ids as the calling account sees them, by id. */
export async function viewPolls(call: CallContext, ids: readonly string[]): Promise<Map<string, ViewedPoll>> {
  const views = await Promise.all(
    [...new Set(ids)].map(async (id) => {
      const [view] = (await viewPollFor(call, id, [call.account.userId])) ?? [];
      return view ? ([id, view] as const) : null;
    }),
  );
  return new Map(views.filter((view) => view !== null));
}

/** A poll as each of several users sees it, in their order; null if there is none. */
export async function viewPollFor(
  call: CallContext,
  id: string,
  userIds: readonly number[],
): Promise<ViewedPoll[] | null> {
  const [record, tally, votes] = await Promise.all([
    findPoll(call, id),
    readTally(call, id),
    call.tx.read.hmget(call.tx.key(pollKey('votes', id)), ...userIds.map(String)),
  ]);
  if (!record) return null;
  return userIds.map((userId, i) => {
    const raw = votes[i] ?? null;
    const vote = raw === null ? null : (JSON.parse(raw) as Vote);
    return viewPoll(record, tally, { userId, vote, date: call.date });
  });
}

/**
 * A poll's medium with its present state, without anybody's own votes: several readers get it, of whom each may have voted. `min` tells
 * them that it lacks their votes.
 */
export async function viewForAll(call: CallContext, media: PollMedia): Promise<PollMedia> {
  const [view] = (await viewPollFor(call, media.poll.id, [NOBODY])) ?? [];
  return view ? { ...media, poll: view.poll, results: { ...view.results, min: true } } : media;
}

/** A poll as several users see it, as by `viewPollFor`; the commit fails if somebody votes, or the poll is closed, meanwhile. */
export async function observePollFor(
  call: CallContext,
  id: string,
  userIds: readonly number[],
): Promise<ViewedPoll[] | null> {
  const observing = [call.tx.observe(POLLS, id), call.tx.observe(pollKey('tally', id), TURN)];
  const viewing = untilSent().then(() => viewPollFor(call, id, userIds));
  const [views] = await Promise.all([viewing, ...observing]);
  return views;
}

function toVoter({ userId }: VoteTally['recent'][number]): TlJson<tl.RawPeerUser> {
  return { _: 'peerUser', userId };
}

// Without a tally, only what the viewer has chosen. The number of voters and the recent voters share one flag, so both are present or none.
function votersOf(
  answer: Poll['answers'][number],
  { correct, poll }: PollRecord,
  tally: VoteTally | null,
  { vote }: { vote: Vote | null },
): TlJson<tl.RawPollAnswerVoters>[] {
  if (answer._ !== 'pollAnswer') return [];
  const { option } = answer;
  return [
    {
      _: 'pollAnswerVoters',
      option,
      ...(tally ? countsOf(option, poll, tally) : {}),
      ...(vote?.options.includes(option) ? { chosen: true } : {}),
      ...(tally && poll.quiz && correct.includes(option) ? { correct: true } : {}),
    },
  ];
}

function countsOf(option: string, { publicVoters }: Poll, { counts, recent }: VoteTally) {
  const chosen = publicVoters ? recent.filter(({ options }) => options.includes(option)) : [];
  // `toString` is base64 too.
  const voters = Object.hasOwn(counts, option) ? (counts[option] as number) : 0;
  return { voters, recentVoters: chosen.map(toVoter) };
}
