import type { tl } from '@mtcute/core';
import type { TlJson } from '../../../../src/tl/tl-json.ts';
import type { CallContext } from '../../../driver.ts';
import type { PeerKey } from '../common/keys.ts';
import { SPONSORED, SPONSORED_COUNTS, SPONSORED_IDS } from './keys.ts';

// The writes that remove one message.
const WRITES_OF_ONE = 3;

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
  return parse(await call.tx.read.hget(call.tx.key(SPONSORED), peer));
}

/** Replaces the sponsored messages of a peer; the commit fails if others were set meanwhile. */
export async function setSponsored(call: CallContext, peer: PeerKey, record: SponsoredRecord): Promise<void> {
  const { tx } = call;
  await forgetSponsored(call, peer);
  for (const [randomId, owner] of await readOwners(call, record.messages)) {
    if (owner !== null) forgetCounts(call, randomId);
    tx.hset(SPONSORED_IDS, randomId, peer);
  }
  tx.hset(SPONSORED, peer, record);
}

/** Removes the sponsored messages of a peer, with their ids and counts. False, and nothing is removed, if they do not fit the commit. */
export async function forgetSponsored(call: CallContext, peer: PeerKey): Promise<boolean> {
  const { tx } = call;
  const raw = await tx.observe(SPONSORED, peer);
  if (raw === null) return true;
  const { messages } = parse(raw);
  if (tx.writesLeft < 1 + WRITES_OF_ONE * messages.length) return false;
  tx.hdel(SPONSORED, peer);
  for (const [randomId, owner] of await readOwners(call, messages)) {
    // Another peer's message has been given the id since.
    if (owner !== peer) continue;
    tx.hdel(SPONSORED_IDS, randomId);
    forgetCounts(call, randomId);
  }
  return true;
}

function forgetCounts({ tx }: CallContext, randomId: string): void {
  tx.hdel(SPONSORED_COUNTS, `views:${randomId}`);
  tx.hdel(SPONSORED_COUNTS, `clicks:${randomId}`);
}

// The peers whose messages have these ids. Another peer's may be given one at the same moment.
function readOwners({ tx }: CallContext, messages: readonly SponsoredMessage[]) {
  const ids = [...new Set(messages.map(({ randomId }) => randomId))];
  return Promise.all(ids.map(async (id) => [id, await tx.observe(SPONSORED_IDS, id)] as const));
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

function parse(raw: string | null): SponsoredRecord {
  return raw === null ? { messages: [] } : (JSON.parse(raw) as SponsoredRecord);
}
