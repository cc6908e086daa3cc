import type { PeerKey, Thread } from '../common/keys.ts';
/**
 * The keys of polls. The letters are those of `common/keys.ts`.
 *
 *   polls               hash: poll id P -> PollRecord
 *   votes:P             hash: U -> Vote
 *   tally:P             hash: option -> how many chose it; `voters`; `turn`: how often a vote changed
 *   voters:P            sorted set: U of who voted, by date
 *   new-votes:P         set: U whose vote the poll's creator has not seen
 *   poll-votes:U:<peer> sorted set: ids of the messages of U's polls with votes U has not seen; `:<thread>` for those of a thread
 */
export const POLLS = 'polls';

/** What is known of the votes in a poll. */
export function pollKey(kind: 'votes' | 'tally' | 'voters' | 'new-votes', pollId: string): string {
  return `${kind}:${pollId}`;
}

export function pollVotesKey(userId: number, peer: PeerKey, thread?: Thread): string {
  return thread === undefined ? `poll-votes:${userId}:${peer}` : `poll-votes:${userId}:${peer}:${thread}`;
}
