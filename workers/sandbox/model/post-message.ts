import type { tl } from '@mtcute/core';
import type { TlJson, Update } from '../../../src/tl/tl-json.ts';
import { type CallContext, MessengerError } from '../../driver.ts';
import { listMemberIds } from './chats.ts';
import type { StoredMessage, TlMessage } from './messages.ts';
import { type ChannelPeer, type Peer, toTlPeer } from './peers.ts';
import {
  type Box,
  COPIES,
  channelBox,
  dialogsKey,
  historyKey,
  mentionsKey,
  messagesKey,
  type PeerKey,
  randomKey,
  SEQ,
  unreadKey,
  userBox,
} from './state-keys.ts';
import { findUsers, targetOf, type UserRecord } from './users.ts';

/** What a message says, without what differs between its copies. */
export type Draft = Omit<TlJson<tl.RawMessage>, 'id' | 'peerId' | 'date'> | ServiceDraft;

type ServiceDraft = Omit<TlJson<tl.RawMessageService>, 'id' | 'peerId' | 'date'>;

export interface PostOptions {
  /** Refuses a second message of the user with this id. */
  randomId?: string;
  /** Users whose copies are marked as mentioning them. */
  mentions?: ReadonlySet<number>;
}

/** A message as its sender has it once the call is committed. */
export interface Posted {
  message: TlMessage;
  pts: number;
}

/**
 * Puts a message into the boxes of everybody in a conversation, counts it as unread, and tells each of them. The sender is the
 * calling account.
 */
export async function postMessage(
  call: CallContext,
  peer: Peer,
  draft: Draft,
  options: PostOptions = {},
): Promise<Posted> {
  const posted = await postTo(call, peer, draft, options);
  if (options.randomId !== undefined) claimRandomId(call, options.randomId, posted.message.id);
  return posted;
}

/** Throws `RANDOM_ID_DUPLICATE` if the calling account has sent a message with this id before. */
export async function refuseSentRandomId(call: CallContext, randomId: string): Promise<void> {
  const name = randomKey(call.account.userId);
  if ((await call.tx.read.hget(call.tx.key(name), randomId)) !== null)
    throw new MessengerError('RANDOM_ID_DUPLICATE');
}

function claimRandomId(call: CallContext, randomId: string, messageId: number): void {
  const name = randomKey(call.account.userId);
  call.tx.expectField(name, randomId, null);
  call.tx.hset(name, randomId, `${messageId}`);
}

async function postTo(call: CallContext, peer: Peer, draft: Draft, options: PostOptions): Promise<Posted> {
  const self = call.account.userId;
  if (peer.kind === 'channel') return postToChannel(call, peer, draft, options);
  if (peer.kind === 'user') {
    const recipients = peer.id === self ? [] : [peer.user];
    return postCopies(call, draft, options, recipients, (userId) => ({
      kind: 'user',
      id: userId === self ? peer.id : self,
    }));
  }
  const others = peer.chat.members.map(({ userId }) => userId).filter((userId) => userId !== self);
  const users = (await findUsers(call, others)).filter((user): user is UserRecord => user !== null);
  const fromId = { _: 'peerUser' as const, userId: self };
  return postCopies(call, { ...draft, fromId }, options, users, () => peer);
}

function postCopies(
  call: CallContext,
  draft: Draft,
  { mentions }: PostOptions,
  recipients: UserRecord[],
  dialogOf: (userId: number) => { kind: 'user' | 'chat'; id: number },
): Posted {
  const { tx, account, date } = call;
  const copies = tx.allocate(SEQ, 'copies');
  const ids: Record<Box, number> = {};
  const sender = { id: account.userId, accountId: account.id };
  const own = deliver(sender, true);
  for (const recipient of recipients) deliver(recipient, false);
  tx.hset(COPIES, copies, ids);
  return own;

  function deliver(user: Pick<UserRecord, 'id' | 'accountId'>, out: boolean): Posted {
    const dialog = dialogOf(user.id);
    const key: PeerKey = `${dialog.kind === 'user' ? 'u' : 'g'}${dialog.id}`;
    const box = userBox(user.id);
    const id = tx.allocate(SEQ, `msg:${box}`);
    const pts = tx.allocate(SEQ, `pts:${box}`);
    const mentioned = !out && mentions?.has(user.id) === true;
    ids[box] = id;
    const message = {
      ...draft,
      ...(out ? { out } : {}),
      ...(mentioned ? { mentioned, mediaUnread: true } : {}),
      id,
      peerId: toTlPeer(dialog),
      date,
    } as TlMessage;
    tx.hset(messagesKey(box), id, { copies, message } satisfies StoredMessage);
    tx.zadd(historyKey(user.id, key), id, id);
    tx.zadd(dialogsKey(user.id), date, key);
    if (!out) tx.hincrby(unreadKey(user.id), key, 1);
    if (mentioned) tx.zadd(mentionsKey(user.id, key), id, id);
    tx.update({ messengerAccountId: user.accountId, userId: user.id }, {
      _: 'updateNewMessage',
      message,
      pts,
      ptsCount: 1,
    } satisfies Update);
    return { message, pts };
  }
}

async function postToChannel(
  call: CallContext,
  peer: ChannelPeer,
  draft: Draft,
  options: PostOptions,
): Promise<Posted> {
  const { tx, account, date } = call;
  refuseReader(peer);
  const box = channelBox(peer.id);
  const members = await findUsers(call, await listMemberIds(call, peer.id));
  const id = tx.allocate(SEQ, `msg:${box}`);
  const pts = tx.allocate(SEQ, `pts:${box}`);
  const post = peer.channel.kind === 'broadcast';
  const origin = post
    ? { post: true, views: 1 }
    : { fromId: { _: 'peerUser' as const, userId: account.userId } };
  const message = { ...draft, ...origin, id, peerId: toTlPeer(peer), date } as TlMessage;
  tx.hset(messagesKey(box), id, { copies: 0, message } satisfies StoredMessage);
  tx.zadd(historyKey(0, peer.key), id, id);
  for (const user of members) {
    if (!user) continue;
    const out = user.id === account.userId;
    const mentioned = !out && options.mentions?.has(user.id) === true;
    tx.zadd(dialogsKey(user.id), date, peer.key);
    if (!out) tx.hincrby(unreadKey(user.id), peer.key, 1);
    if (mentioned) tx.zadd(mentionsKey(user.id, peer.key), id, id);
    const seen = {
      ...message,
      ...(out ? { out } : {}),
      ...(mentioned ? { mentioned, mediaUnread: true } : {}),
    };
    tx.update(targetOf(user), {
      _: 'updateNewChannelMessage',
      message: seen,
      pts,
      ptsCount: 1,
    } satisfies Update);
  }
  return { message: { ...message, out: true }, pts };
}

function refuseReader({ channel, member }: ChannelPeer): void {
  if (!member) throw new MessengerError('CHAT_WRITE_FORBIDDEN');
  if (channel.kind === 'broadcast' && member.role === 'member')
    throw new MessengerError('CHAT_ADMIN_REQUIRED');
}
