import type { tl } from '@mtcute/core';
import type { MethodResult, TlJson, Update } from '../../../../src/tl/tl-json.ts';
import { type CallContext, MessengerError } from '../../../driver.ts';
import { peersOf } from '../boxes/named-peers.ts';
import type { RecordSent } from '../boxes/random-ids.ts';
import { listMemberIds } from '../chats/chats.ts';
import { refuseLargeCopies, refuseTooLarge } from '../common/commit-size.ts';
import { DUE } from '../common/due.ts';
import { SEQ, type Thread, userBox } from '../common/keys.ts';
import { readersOf } from '../conversations/channel-readers.ts';
import { ownThread } from '../conversations/topics.ts';
import type { MessageDraft } from '../messages/post.ts';
import { refuseRecipient, refuseRestricted, restrictionsIn } from '../messages/refuse-restricted.ts';
import { type ReplyTarget, replyHeaderIn } from '../messages/replies.ts';
import { listMentioned } from '../peers/mentioned.ts';
import { boxOf, type Peer } from '../peers/peer.ts';
import { requireWriteAccess } from '../peers/require-write-access.ts';
import { toTlPeer } from '../peers/tl-peer.ts';
import { targetOf } from '../people/users.ts';
import { scheduledDatesKey, scheduledKey, scheduledSeq } from './keys.ts';
import {
  listScheduled,
  SCHEDULED_MAX,
  type ScheduledMessage,
  type ScheduledRecord,
  scheduledField,
} from './scheduled-messages.ts';

/** A message to be sent later, with the message it replies to. */
export interface Outgoing extends Omit<ScheduledRecord, 'message' | 'peer' | 'mentions' | 'thread'> {
  draft: MessageDraft;
  randomId: string;
  mentions?: ReadonlySet<number>;
  reply?: ReplyTarget | undefined;
}

const YEAR_S = 365 * 24 * 60 * 60;
// Messages that are due this soon are sent at once. Source: core.telegram.org/api/scheduled-messages.
const AT_ONCE_S = 10;
// It is kept once, and told once.
const COPIES = 2;
const WHEN_ONLINE = 0x7ffffffe;

/**
 * Whether a message with this date is to be sent later. Errors: `SCHEDULE_BOT_NOT_ALLOWED`, `SCHEDULE_DATE_INVALID`,
 * `SCHEDULE_DATE_TOO_LATE` beyond a year, `SCHEDULE_STATUS_PRIVATE` for a message that would wait until its recipient is online.
 */
export function isForLater({ account, date }: CallContext, scheduleDate: number | undefined): boolean {
  if (scheduleDate === undefined) return false;
  if (account.bot) throw new MessengerError('SCHEDULE_BOT_NOT_ALLOWED');
  if (scheduleDate === WHEN_ONLINE) throw new MessengerError('SCHEDULE_STATUS_PRIVATE');
  if (scheduleDate <= 0) throw new MessengerError('SCHEDULE_DATE_INVALID');
  if (scheduleDate > date + YEAR_S) throw new MessengerError('SCHEDULE_DATE_TOO_LATE');
  return scheduleDate > date + AT_ONCE_S;
}

/**
 * Schedules messages of the account for a date, and notifies the account. Errors: `SCHEDULE_TOO_MUCH` beyond 100 for the conversation, or
 * 1,000 in all, `MESSAGE_TOO_LONG`, and those of a message that may not be sent there now.
 */
export async function schedule(
  call: CallContext,
  peer: Peer,
  outgoing: readonly Outgoing[],
  { date, recordSent }: { date: number; recordSent: RecordSent },
): Promise<MethodResult<'messages.sendMessage'>> {
  const { tx, account } = call;
  await refuseUnsendable(call, peer, outgoing);
  await refuseTooMany(call, peer, outgoing.length);
  const target = targetOf({ id: account.userId, accountId: account.id });
  const isMonoforum = peer.kind === 'channel' && peer.channel.kind === 'monoforum';
  const messages = outgoing.map(({ draft, randomId, mentions, reply, ...record }) => {
    const id = tx.allocate(SEQ, scheduledSeq(account.userId));
    const message = toScheduled(call, peer, draft, { id, date, reply });
    refuseTooLarge(message, COPIES, record);
    const kept = {
      ...record,
      message,
      peer: toInputPeer(peer),
      mentions: [...(mentions ?? [])],
      ...(reply?.thread !== undefined && isMonoforum ? { thread: reply.thread } : {}),
    };
    tx.hset(scheduledKey(account.userId), scheduledField(peer.key, id), kept satisfies ScheduledRecord);
    tx.zadd(scheduledDatesKey(account.userId), date, scheduledField(peer.key, id));
    recordSent(randomId, id);
    tx.update(target, { _: 'updateNewScheduledMessage', message });
    if (tx.isTooLarge) throw new MessengerError('MESSAGE_TOO_LONG');
    return message;
  });
  await markDue(call, date);
  const ids = messages.map(({ id }, i): Update => {
    return { _: 'updateMessageID', id, randomId: (outgoing[i] as Outgoing).randomId };
  });
  const self = { _: 'peerUser' as const, userId: account.userId };
  return {
    _: 'updates',
    updates: [...ids, ...messages.map((message): Update => ({ _: 'updateNewScheduledMessage', message }))],
    ...(await listMentioned(call, [toTlPeer(peer), self, ...peersOf(...messages)])),
    date: call.date,
    seq: 0,
  };
}

// What could not be sent now would most likely be lost when it is due.
async function refuseUnsendable(call: CallContext, peer: Peer, outgoing: readonly Outgoing[]): Promise<void> {
  requireWriteAccess(call, peer);
  for (const { draft } of outgoing) refuseRestricted(call, draft, restrictionsIn(call, peer));
  if (peer.kind === 'user' && peer.id !== call.account.userId) await refuseRecipient(call, peer);
  await refuseUnfitting(call, peer, outgoing);
}

async function refuseUnfitting(call: CallContext, peer: Peer, outgoing: readonly Outgoing[]): Promise<void> {
  const times = await countTimes(call, peer, outgoing[0]?.reply?.thread);
  for (const { draft, reply } of outgoing) {
    // As it is when it is due: how long it may be by itself is checked as it is kept.
    const due = { ...draft, fromScheduled: true };
    if (peer.kind === 'channel') refuseTooLarge(due, times, reply?.header);
    else refuseLargeCopies(due, times, reply?.header);
  }
}

// The readers of a channel are told, and it has the message once; all others have a copy.
async function countTimes(call: CallContext, peer: Peer, given: Thread | undefined): Promise<number> {
  if (peer.kind === 'chat') return peer.chat.members.length;
  if (peer.kind === 'user') return peer.id === call.account.userId ? 1 : 2;
  const memberIds = await listMemberIds(call, peer.id);
  const readers = await readersOf(call, peer, given ?? ownThread(call, peer), { memberIds });
  return readers.length + 1;
}

async function refuseTooMany(call: CallContext, { key }: Peer, count: number): Promise<void> {
  const all = await listScheduled(call);
  const here = all.filter((field) => field.startsWith(`${key}:`)).length;
  if (here + count > SCHEDULED_MAX.each || all.length + count > SCHEDULED_MAX.all)
    throw new MessengerError('SCHEDULE_TOO_MUCH');
}

// Makes the due work run when the first message is due; before the message is stored, so that it cannot be missed.
async function markDue(call: CallContext, date: number): Promise<void> {
  const { tx, account } = call;
  const due = await tx.read.zscore(tx.key(DUE), String(account.userId));
  tx.expectScore(DUE, account.userId, due);
  if (due === null || date < Number(due)) tx.zadd(DUE, date, account.userId);
  await call.wakeAt?.(date);
}

function toScheduled(
  call: CallContext,
  peer: Peer,
  draft: MessageDraft,
  { id, date, reply }: { id: number; date: number; reply: ReplyTarget | undefined },
): ScheduledMessage {
  const { userId } = call.account;
  const isPost = peer.kind === 'channel' && peer.channel.kind === 'broadcast';
  return {
    ...(draft as ScheduledMessage),
    id,
    peerId: toTlPeer(peer),
    date,
    ...(peer.key === userBox(userId) ? {} : { out: true }),
    ...(isPost ? { post: true } : { fromId: { _: 'peerUser', userId } }),
    ...replyHeaderIn(boxOf(call, peer), reply),
  };
}

function toInputPeer(peer: Peer): TlJson<tl.TypeInputPeer> {
  if (peer.kind === 'chat') return { _: 'inputPeerChat', chatId: peer.id };
  return peer.kind === 'user'
    ? { _: 'inputPeerUser', userId: peer.id, accessHash: peer.user.accessHash }
    : { _: 'inputPeerChannel', channelId: peer.id, accessHash: peer.channel.accessHash };
}
