import type { tl } from '@mtcute/core';
import type { TlJson } from '../../../../src/tl/tl-json.ts';
import type { CallContext } from '../../../driver.ts';
import type { PeerKey } from '../common/keys.ts';
import { SPONSORED, SPONSORED_COUNTS, SPONSORED_IDS } from './keys.ts';

export type SponsoredMessage = TlJson<tl.RawSponsoredMessage>;

/** The sponsored messages of a channel or bot, and how to show them among its posts. */
export interface SponsoredRecord {
  messages: SponsoredMessage[];
  postsBetween?: number;
  startDelay?: number;
  betweenDelay?: number;
}

/** The sponsored messages of a peer; none unless some were set. */
export async function findSponsored(call: CallContext, peer: PeerKey): Promise<SponsoredRecord> {
  const raw = await call.tx.read.hget(call.tx.key(SPONSORED), peer);
  return raw === null ? { messages: [] } : (JSON.parse(raw) as SponsoredRecord);
}

/** Replaces the sponsored messages of a peer; `before` are those it had. */
export function setSponsored(
  call: CallContext,
  peer: PeerKey,
  record: SponsoredRecord,
  before: readonly SponsoredMessage[] = [],
): void {
  const { tx } = call;
  forgetIds(call, before);
  for (const { randomId } of record.messages) tx.hset(SPONSORED_IDS, randomId, peer);
  tx.hset(SPONSORED, peer, record);
}

/** Removes the ids and the counts of sponsored messages. */
export function forgetIds({ tx }: CallContext, messages: readonly SponsoredMessage[]): void {
  for (const { randomId } of messages) {
    tx.hdel(SPONSORED_IDS, randomId);
    tx.hdel(SPONSORED_COUNTS, `views:${randomId}`);
    tx.hdel(SPONSORED_COUNTS, `clicks:${randomId}`);
  }
}

/** Counts a view of, or a click on, a sponsored message; false if there is none with that id. */
export async function countSponsored(
  call: CallContext,
  kind: 'views' | 'clicks',
  randomId: string,
): Promise<boolean> {
  if ((await call.tx.observe(SPONSORED_IDS, randomId)) === null) return false;
  call.tx.hincrby(SPONSORED_COUNTS, `${kind}:${randomId}`, 1);
  return true;
}

/** How often each of these messages was viewed and clicked. */
export async function readSponsoredCounts(
  call: CallContext,
  messages: readonly SponsoredMessage[],
): Promise<{ randomId: string; views: number; clicks: number }[]> {
  if (messages.length === 0) return [];
  const fields = messages.flatMap(({ randomId }) => [`views:${randomId}`, `clicks:${randomId}`]);
  const counts = await call.tx.read.hmget(call.tx.key(SPONSORED_COUNTS), ...fields);
  return messages.map(({ randomId }, i) => ({
    randomId,
    views: Number(counts[2 * i] ?? 0),
    clicks: Number(counts[2 * i + 1] ?? 0),
  }));
}
