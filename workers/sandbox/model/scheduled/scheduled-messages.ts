import type { tl } from '@mtcute/core';
import type { TlJson, Update } from '../../../../src/tl/tl-json.ts';
import type { CallContext } from '../../../driver.ts';
import type { PeerKey } from '../common/keys.ts';
import type { ReadBudget } from '../common/read-budget.ts';
import { toTlPeerOfKey } from '../peers/tl-peer.ts';
import { targetOf } from '../people/users.ts';
import type { PollRecord } from '../polls/polls.ts';
import { DUE, scheduledDatesKey, scheduledKey } from './keys.ts';

export type ScheduledMessage = TlJson<tl.RawMessage>;

/** A message that is to be sent later. */
export interface ScheduledRecord {
  /** As its author sees it until then; `date` is when it is to be sent. */
  message: ScheduledMessage;
  /** The conversation it goes to. */
  peer: TlJson<tl.TypeInputPeer>;
  mentions: number[];
  replyTo?: TlJson<tl.TypeInputReplyTo> | undefined;
  invoiceId?: string | undefined;
  poll?: PollRecord | undefined;
}

/** A scheduled message that was found, with its name and the text it is stored as. */
export interface FoundScheduled extends ScheduledRecord {
  field: string;
  raw: string;
}

/** How many messages an account may schedule for one conversation, as with Telegram, and for all. */
export const SCHEDULED_MAX = { each: 100, all: 1_000 };

/** The names of all scheduled messages of the account, the earliest first. */
export async function listScheduled({ tx, account }: CallContext): Promise<string[]> {
  return tx.read.zrange(tx.key(scheduledDatesKey(account.userId)), '0', String(SCHEDULED_MAX.all));
}

/** The name of a scheduled message. */
export function scheduledField(key: PeerKey, id: number): string {
  return `${key}:${id}`;
}

/** The scheduled messages of the account with these names, null for those that are not there. */
export async function findScheduled(
  { tx, account }: CallContext,
  fields: readonly string[],
  budget: ReadBudget = { left: Number.POSITIVE_INFINITY },
): Promise<(FoundScheduled | null)[]> {
  if (fields.length === 0) return [];
  const found = await tx.read.hmget(tx.key(scheduledKey(account.userId)), ...fields);
  return found.map((raw, i) => {
    budget.left -= raw?.length ?? 0;
    if (raw === null || budget.left < 0) return null;
    return { ...(JSON.parse(raw) as ScheduledRecord), field: fields[i] as string, raw };
  });
}

/** Takes messages from what the account has scheduled, if they are still as they were found, and keeps right when it is due next. */
export async function removeScheduled(call: CallContext, gone: readonly FoundScheduled[]): Promise<void> {
  const { tx, account } = call;
  const dates = scheduledDatesKey(account.userId);
  for (const { field, raw } of gone) {
    tx.expectField(scheduledKey(account.userId), field, raw);
    tx.hdel(scheduledKey(account.userId), field);
    tx.zrem(dates, field);
  }
  const removed = new Set(gone.map(({ field }) => field));
  const earliest = await tx.read.zrange(tx.key(dates), '0', String(gone.length));
  const next = earliest.find((field) => !removed.has(field));
  const [score, due] = await Promise.all([
    next === undefined ? null : tx.read.zscore(tx.key(dates), next),
    tx.read.zscore(tx.key(DUE), String(account.userId)),
  ]);
  tx.expectScore(DUE, account.userId, due);
  if (score === null) tx.zrem(DUE, account.userId);
  else tx.zadd(DUE, Number(score), account.userId);
}

/** Notifies the account that messages of a conversation are scheduled no longer: they were sent under these ids, or deleted. */
export function tellUnscheduled(
  { tx, account }: CallContext,
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
  tx.update(targetOf({ id: account.userId, accountId: account.id }), update);
  return update;
}
