import type { TlMessage } from '../../../../workers/sandbox/model/boxes/messages.ts';
import type { Differences } from './differences.ts';
import type { PollResults, Replica } from './replica.ts';
import type { Place } from './world.ts';

/** Holds the whole history of a place, newest first, against what the updates told of it. */
export function compareMessages(
  replica: Replica,
  place: Place,
  history: readonly TlMessage[],
  differences: Differences,
): void {
  const known = replica.messagesOf(place.key);
  const answered = new Map(history.map((message) => [message.id, message]));
  for (const [id, message] of known) {
    const shown = answered.get(id);
    if (!shown)
      differences.note(`message ${id} is gone, of which nothing was told: ${JSON.stringify(message)}`);
    else
      differences.hold(
        `message ${id}`,
        comparable(replica, shown),
        comparable(replica, told(replica, message)),
      );
  }
  // Of what was written before the account joined nothing was told.
  const first = Math.min(...known.keys());
  for (const [id, message] of answered)
    if (id > first && !known.has(id)) differences.note(`nothing was told of ${JSON.stringify(message)}`);
}

/** A message as the updates told of it, with the newest results of its poll. */
function told(replica: Replica, message: TlMessage): TlMessage {
  if (message._ !== 'message' || message.media?._ !== 'messageMediaPoll') return message;
  const results = replica.polls.get(message.media.poll.id) ?? message.media.results;
  return { ...message, media: { ...message.media, results } };
}

/** What is the same in every view of a message. Views are left out: who causes one is not told of it. */
function comparable(replica: Replica, message: TlMessage): unknown {
  if (message._ === 'messageService') return sorted({ ...message, reactions: countsOf(message) });
  const { views: _, media, ...rest } = message;
  const shown =
    media?._ === 'messageMediaPoll'
      ? { poll: media.poll.id, votes: replica.stalePolls.has(media.poll.id) ? null : votesOf(media.results) }
      : media;
  return sorted({ ...rest, media: shown, reactions: countsOf(message) });
}

function countsOf({ reactions }: TlMessage): string[] | undefined {
  return reactions?.results.map(
    ({ reaction, count, chosenOrder }) =>
      `${JSON.stringify(reaction)} ${count}${chosenOrder === undefined ? '' : ' chosen'}`,
  );
}

function votesOf({ totalVoters = 0, results = [] }: PollResults): unknown {
  const voted = results.filter(({ voters = 0 }) => voters > 0);
  return { total: totalVoters, options: voted.map(({ option, voters }) => [option, voters]) };
}

/** Without what is unset, and with all fields in one order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).filter(
    ([, one]) => one !== false && one !== undefined && one !== null,
  );
  return Object.fromEntries(fields.map(([name, one]) => [name, sorted(one)] as const).sort(byName));
}

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]) => (a < b ? -1 : 1);
