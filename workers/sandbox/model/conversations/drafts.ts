import type { tl } from '@mtcute/core';
import type { TlJson, Update } from '../../../../src/tl/tl-json.ts';
import type { CallContext } from '../../../driver.ts';
import { countRead } from '../common/count-read.ts';
import type { PeerKey, Thread } from '../common/keys.ts';
import type { Peer } from '../peers/peer.ts';
import { toTlPeerOfKey } from '../peers/tl-peer.ts';
import { notifyOwnSessions } from '../people/users.ts';
import { draftDatesKey, draftsKey } from './keys.ts';
import { ownThread } from './topics.ts';
import { type ConversationPart, unreadField } from './unread-state.ts';

export type Draft = TlJson<tl.RawDraftMessage>;
export type DraftUpdate = Extract<Update, { _: 'updateDraftMessage' }>;

const DRAFTS_MAX = 100;
// Drafts that are saved side by side exceed the maximum, until the next one is saved.
const DRAFTS_READ = 5 * DRAFTS_MAX;
// Each takes two writes and an update.
const REMOVED_MAX = 50;

/**
 * The part of a conversation that has a draft of its own: a topic of a forum, or a thread of a monoforum. For a user who only writes to a
 * monoforum, this is the monoforum, as its dialog shows.
 */
export function draftPart(call: CallContext, peer: Peer, thread: Thread | undefined): ConversationPart {
  const isWhole = thread === undefined || thread === 't1' || ownThread(call, peer) !== undefined;
  return isWhole ? { key: peer.key } : { key: peer.key, thread };
}

/** The account's drafts for these conversations, null for none, in one read. */
export async function findDrafts(
  { tx, account }: CallContext,
  parts: readonly ConversationPart[],
): Promise<(Draft | null)[]> {
  if (parts.length === 0) return [];
  const found = await tx.read.hmget(tx.key(draftsKey(account.userId)), ...parts.map(unreadField));
  countRead({ tx }, found);
  return found.map((raw) => (raw === null ? null : (JSON.parse(raw) as Draft)));
}

/** All drafts of the account as updates, the latest first. */
export async function listDrafts(call: CallContext): Promise<DraftUpdate[]> {
  const { tx, account } = call;
  const fields = await tx.read.zrevrange(tx.key(draftDatesKey(account.userId)), 0, DRAFTS_MAX - 1);
  const parts = fields.map(partOf);
  const drafts = await findDrafts(call, parts);
  return parts.flatMap((part, i) => (drafts[i] ? toUpdate(part, drafts[i]) : []));
}

/** The thread in which the account has a draft that answers this message. */
export async function threadOfAnswer(
  call: CallContext,
  key: PeerKey,
  msgId: number,
): Promise<Thread | undefined> {
  const { tx, account } = call;
  const fields = await tx.read.zrevrange(tx.key(draftDatesKey(account.userId)), 0, DRAFTS_MAX - 1);
  const parts = fields.map(partOf).filter((part) => part.key === key && part.thread !== undefined);
  const drafts = await findDrafts(call, parts);
  const at = drafts.findIndex((draft) => {
    const replyTo = draft?.replyTo;
    return replyTo?._ === 'inputReplyToMessage' && replyTo.replyToMsgId === msgId;
  });
  return parts[at]?.thread;
}

/**
 * Stores a draft of the account, or with null removes it, and notifies the account's other sessions. Beyond 100 drafts, the oldest are
 * removed, up to 50 at once.
 */
export async function putDraft(
  call: CallContext,
  part: ConversationPart,
  draft: Draft | null,
): Promise<void> {
  const { tx, account } = call;
  const [before] = await findDrafts(call, [part]);
  if (draft === null && !before) return;
  if (draft === null) return forgetDraft(call, part);
  const dates = draftDatesKey(account.userId);
  if (!before) await makeRoom(call, dates);
  tx.hset(draftsKey(account.userId), unreadField(part), draft);
  tx.zadd(dates, call.date, unreadField(part));
  notifyOwnSessions(call, toUpdate(part, draft));
}

async function makeRoom(call: CallContext, dates: string): Promise<void> {
  const { read } = call.tx;
  const name = call.tx.key(dates);
  const excess = Math.min((await read.zcard(name)) - DRAFTS_MAX + 1, REMOVED_MAX);
  if (excess <= 0) return;
  for (const oldest of await read.zrange(name, '0', String(excess - 1))) forgetDraft(call, partOf(oldest));
}

/**
 * Removes a user's drafts for a conversation and for its threads, as many as fit these writes; false if there are more. A user who may no
 * longer write there has none, so it is not notified. The commit fails if a draft for the conversation, not for a thread of it, comes meanwhile.
 */
export async function forgetDraftsOf(
  { tx }: CallContext,
  userId: number,
  { key, writes }: { key: PeerKey; writes: number },
): Promise<boolean> {
  const dates = draftDatesKey(userId);
  const [all, whole] = await Promise.all([
    tx.read.zrange(tx.key(dates), '0', String(DRAFTS_READ - 1)),
    tx.read.zscore(tx.key(dates), key),
  ]);
  if (whole === null) tx.expectScore(dates, key, null);
  const threads = all.filter((field) => field !== key && partOf(field).key === key);
  const fields = whole === null ? threads : [key, ...threads];
  const fitting = fields.slice(0, Math.max(0, Math.floor(writes / 2)));
  for (const field of fitting) {
    tx.hdel(draftsKey(userId), field);
    tx.zrem(dates, field);
  }
  return fitting.length === fields.length;
}

function forgetDraft(call: CallContext, part: ConversationPart): void {
  const { tx, account, date } = call;
  tx.hdel(draftsKey(account.userId), unreadField(part));
  tx.zrem(draftDatesKey(account.userId), unreadField(part));
  notifyOwnSessions(call, toUpdate(part, { _: 'draftMessageEmpty', date }));
}

function partOf(field: string): ConversationPart {
  const [key, thread] = field.split(':') as [PeerKey, Thread?];
  return { key, thread };
}

function toUpdate({ key, thread }: ConversationPart, draft: TlJson<tl.TypeDraftMessage>): DraftUpdate {
  const topic = thread?.startsWith('t') ? { topMsgId: Number(thread.slice(1)) } : {};
  const saved = thread && !thread.startsWith('t') ? { savedPeerId: toTlPeerOfKey(thread as PeerKey) } : {};
  return { _: 'updateDraftMessage', peer: toTlPeerOfKey(key), ...topic, ...saved, draft };
}
