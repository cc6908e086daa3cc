import type { CallContext } from '../../../driver.ts';
import { topicsKey } from './keys.ts';

const PINNED = 'pinned';

/** Ids of the pinned topics of a forum, in their order. */
export async function readPinnedTopics({ tx }: CallContext, channelId: number): Promise<number[]> {
  return parse(await tx.read.hget(tx.key(topicsKey(channelId)), PINNED));
}

/** Ids of the pinned topics of a forum, in their order; the commit fails if they have changed by then. */
export async function observePinnedTopics({ tx }: CallContext, channelId: number): Promise<number[]> {
  return parse(await tx.observe(topicsKey(channelId), PINNED));
}

export function putPinnedTopics({ tx }: CallContext, channelId: number, topicIds: readonly number[]): void {
  if (topicIds.length > 0) tx.hset(topicsKey(channelId), PINNED, topicIds);
  else tx.hdel(topicsKey(channelId), PINNED);
}

function parse(raw: string | null): number[] {
  return raw === null ? [] : (JSON.parse(raw) as number[]);
}
