import { encodeJson } from '../../../../src/state/placeholder.ts';
import type { CallContext } from '../../../driver.ts';
import { channelBox, SEQ, type Thread } from '../common/keys.ts';
import { changedField, channelEventsKey } from './keys.ts';

/** Deleted messages of one thread, with the channel's `pts` at which each of them arrived; 0 if unknown. */
export interface DeletedPosts {
  thread?: Thread | undefined;
  ids: number[];
  arrived: number[];
}

type ChannelEventBody = { edited: number } | { ids: number[]; pinned: boolean } | { deleted: DeletedPosts[] };

/** A change of messages of a channel that counts in its `pts`. The current state of a message is read from the message itself. */
export type ChannelEvent = { pts: number; ptsCount: number } & ChannelEventBody;

const KEPT_MS = 30 * 24 * 60 * 60 * 1_000;
const KEPT_MAX = 2_000;

/** Counts a change in the `pts` of a channel, keeps it for `updates.getChannelDifference`, and returns the new `pts`. */
export function recordChannelEvent(
  { tx, date }: CallContext,
  channelId: number,
  ptsCount: number,
  happened: ChannelEventBody,
): number {
  const pts = tx.allocate(SEQ, `pts:${channelBox(channelId)}`, ptsCount);
  const name = channelEventsKey(channelId);
  tx.hset(SEQ, changedField(channelId), String(date));
  tx.zadd(name, pts, encodeJson({ pts, ptsCount, ...happened }));
  tx.zkeep(name, KEPT_MAX, KEPT_MS);
  return pts;
}
