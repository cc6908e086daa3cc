import type { CallContext } from '../../../driver.ts';
import type { ChannelEvent } from '../chats/channel-events.ts';
import { channelEventsKey } from '../chats/keys.ts';
import { channelBox } from '../common/keys.ts';
import { type Arrival, findArrivals, type PtsRange, readKeptEvents, sortIfComplete } from './arrivals.ts';

// The shown part, up to a page, is read once more.
const READ_CHARACTERS = 2 * 1024 * 1024;

/** A change of a channel: an arrived message, or a change of messages. */
export type ChannelChange = Arrival | ChannelEvent;

/**
 * A channel's changes in order, without messages that have been deleted again; null if not all changes are kept any more, or if there are
 * more than one call reads.
 */
export async function findChannelChanges(
  call: CallContext,
  channelId: number,
  span: PtsRange,
): Promise<ChannelChange[] | null> {
  const budget = { left: READ_CHARACTERS };
  const [arrivals, events] = await Promise.all([
    findArrivals(call, channelBox(channelId), span, budget),
    readKeptEvents<ChannelEvent>(call, channelEventsKey(channelId), span.since, budget),
  ]);
  if (budget.left < 0) return null;
  const deleted = events.flatMap((event) => ('deleted' in event ? event.deleted : []));
  const gone = deleted.flatMap(({ arrived }) => arrived).filter((pts) => pts > span.since);
  return sortIfComplete<ChannelChange>([...arrivals, ...events], span, gone.length);
}
