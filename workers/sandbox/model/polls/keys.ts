/**
 * The keys of polls. The letters are those of `common/keys.ts`.
 *
 *   polls               hash: poll id P -> PollRecord
 *   votes:P             hash: U -> Vote
 *   tally:P             hash: option -> how many chose it; `voters`; `:turn`: how often a vote changed
 *   voters:P            sorted set: U of who voted, by date
 *   new-votes:P         set: U whose vote the poll's creator has not seen
 */
export const POLLS = 'polls';

/** The counter of changed votes in a tally: options are base64, which has no colon. */
export const TURN = ':turn';

/** The keys of a poll's votes. */
export function pollKey(kind: 'votes' | 'tally' | 'voters' | 'new-votes', pollId: string): string {
  return `${kind}:${pollId}`;
}
