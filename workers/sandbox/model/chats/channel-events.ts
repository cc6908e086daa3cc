import { encodeJson } from '../../../../src/state/placeholder.ts';
import type { CallContext } from '../../../driver.ts';
import { channelBox, SEQ, type Thread } from '../common/keys.ts';
import { changedField, channelEventsKey } from './keys.ts';

/** Messages of one thread that were deleted, and the channel's `pts` when each of them arrived; 0 where that is not known. */
export interface DeletedPosts {
  thread?: Thread | undefined;
  ids: number[];
  arrived: number[];
}

type Happened = { edited: number } | { ids: number[]; pinned: boolean } | { deleted: DeletedPosts[] };

/** Something that happened to messages of a channel and counts in its `pts`. What a message has become is asked of the message. */
export type ChannelEvent = { pts: number; ptsCount: number } & Happened;

const KEPT_MS = 30 * 24 * 60 * 60 * 1_000;
const KEPT_MAX = 2_000;

/** Counts what happened in the `pts` of a channel, keeps it for `updates.getChannelDifference`, and gives the `pts` after it. */
export async function noteChannelEvent(
  { tx, date }: CallContext,
  channelId: number,
  ptsCount: number,
  happened: Happened,
): Promise<number> {
  const pts = tx.allocate(SEQ, `pts:${channelBox(channelId)}`, ptsCount);
  const name = channelEventsKey(channelId);
  tx.hset(SEQ, changedField(channelId), String(date));
  tx.zadd(name, pts, encodeJson({ pts, ptsCount, ...happened }));
  tx.expire(name, 'z', KEPT_MS);
  // This one comes in their place; a second, should two calls have met.
  const oldest = await tx.read.zrevrange(tx.key(name), KEPT_MAX - 1, KEPT_MAX);
  for (const event of oldest) tx.zrem(name, event);
  return pts;
}
