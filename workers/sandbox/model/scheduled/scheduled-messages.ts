import type { tl } from '@mtcute/core';
import type { TlJson, Update } from '../../../../src/tl/tl-json.ts';
import type { CallContext } from '../../../driver.ts';
import { readingSlices } from '../../../turns/slices.ts';
import { DUE } from '../common/due.ts';
import { type PeerKey, SEQ, type Thread } from '../common/keys.ts';
import type { ReadBudget } from '../common/read-budget.ts';
import { toTlPeerOfKey } from '../peers/tl-peer.ts';
import { notifyOwnSessions } from '../people/users.ts';
import type { PollRecord } from '../polls/polls.ts';
import { scheduledDatesKey, scheduledKey, scheduledSeq } from './keys.ts';

export type ScheduledMessage = TlJson<tl.RawMessage>;

/** A message that is to be sent later. */
export interface ScheduledRecord {
  /** The message as its author sees it until then; `date` is when it will be sent. */
  message: ScheduledMessage;
  /** The conversation it goes to. */
  peer: TlJson<tl.TypeInputPeer>;
  mentions: number[];
  replyTo?: TlJson<tl.TypeInputReplyTo> | undefined;
  /** In a monoforum: the thread that it goes to, which `replyTo` need not name. */
  thread?: Thread;
  invoiceId?: string | undefined;
  poll?: PollRecord | undefined;
}

/** A scheduled message with its field and its stored text. */
export interface FoundScheduled extends ScheduledRecord {
  field: string;
  raw: string;
}

/** How many messages an account may schedule for one conversation, as on Telegram, and in all. */
export const SCHEDULED_MAX = { each: 100, all: 1_000 };

const READ_AT_ONCE = 8;

/** The fields of all scheduled messages of the account, the earliest first. */
export async function listScheduled({ tx, account }: CallContext): Promise<string[]> {
  return tx.read.zrange(tx.key(scheduledDatesKey(account.userId)), '0', String(SCHEDULED_MAX.all));
}

/** `hasScheduled` if the account has scheduled messages for a conversation, as it is told of the conversation; otherwise nothing. */
export async function viewHasScheduled(call: CallContext, key: PeerKey): Promise<{ hasScheduled?: true }> {
  const fields = await listScheduled(call);
  return fields.some((field) => field.startsWith(`${key}:`)) ? { hasScheduled: true } : {};
}

/** The field of a scheduled message in its hash. */
export function scheduledField(key: PeerKey, id: number): string {
  return `${key}:${id}`;
}

/** Which of these scheduled messages of a conversation exist. */
export async function listPresent(
  { tx, account }: CallContext,
  key: PeerKey,
  ids: readonly number[],
): Promise<number[]> {
  if (ids.length === 0) return [];
  const dates = tx.key(scheduledDatesKey(account.userId));
  const scores = await tx.read.zmscore(dates, ...ids.map((id) => scheduledField(key, id)));
  return ids.filter((_, i) => scores[i] !== null);
}

/**
 * The scheduled messages of the account with these fields; null for those that do not exist, and for the first that exceeds the budget and
 * all after it. They may be large: only a few beyond the budget are read.
 */
export async function findScheduled(
  { tx, account, workspaceId }: CallContext,
  fields: readonly string[],
  budget: ReadBudget,
): Promise<(FoundScheduled | null)[]> {
  const key = tx.key(scheduledKey(account.userId));
  const found: (FoundScheduled | null)[] = [];
  for (let at = 0; at < fields.length && budget.left >= 0; at += READ_AT_ONCE) {
    const some = fields.slice(at, at + READ_AT_ONCE);
    for (const [i, raw] of (await tx.read.hmget(key, ...some)).entries()) {
      const length = raw?.length ?? 0;
      budget.left -= length;
      tx.charactersRead += length;
      await readingSlices.next(workspaceId);
      const isFound = raw !== null && budget.left >= 0;
      found.push(isFound ? { ...(JSON.parse(raw) as ScheduledRecord), field: some[i] as string, raw } : null);
    }
  }
  return fields.map((_, i) => found[i] ?? null);
}

/**
 * Removes the account's scheduled messages with these fields, and sets the time at which the next one is due. The commit fails if one of
 * them was removed meanwhile.
 */
export async function removeScheduled(call: CallContext, fields: readonly string[]): Promise<void> {
  const { tx, account } = call;
  const dates = scheduledDatesKey(account.userId);
  // A message that is scheduled meanwhile raises the counter, and must be seen here.
  await tx.observe(SEQ, scheduledSeq(account.userId));
  const [earliest, due, scores] = await Promise.all([
    tx.read.zrange(tx.key(dates), '0', String(fields.length)),
    tx.read.zscore(tx.key(DUE), String(account.userId)),
    fields.length === 0 ? [] : tx.read.zmscore(tx.key(dates), ...fields),
  ]);
  for (const [i, field] of fields.entries()) {
    // A message that has gone since it was found has no score, so that the commit fails.
    tx.expectScore(dates, field, scores[i] ?? 'missing');
    tx.hdel(scheduledKey(account.userId), field);
    tx.zrem(dates, field);
  }
  const removed = new Set(fields);
  const next = earliest.find((field) => !removed.has(field));
  const score = next === undefined ? null : await tx.read.zscore(tx.key(dates), next);
  tx.expectScore(DUE, account.userId, due);
  if (score === null) tx.zrem(DUE, account.userId);
  else tx.zadd(DUE, Number(score), account.userId);
}

/** Notifies the account that messages of a conversation are no longer scheduled: they were sent under these ids, or deleted. */
export function notifyOfUnscheduled(
  call: CallContext,
  key: PeerKey,
  messages: number[],
  sentMessages?: number[],
): Update {
  const update: Update = {
    _: 'updateDeleteScheduledMessages',
    peer: toTlPeerOfKey(key),
    messages,
    ...(sentMessages ? { sentMessages } : {}),
  };
  notifyOwnSessions(call, update);
  return update;
}
