import type { tl } from '@mtcute/core';
import type { TlJson } from '../../../../src/tl/tl-json.ts';
import { type CallContext, MessengerError } from '../../../driver.ts';
import { historyKey } from '../boxes/keys.ts';
import { isKicked } from '../chats/bans.ts';
import { type ChannelRecord, type ChatRecord, findChannels, findChats, findMember } from '../chats/chats.ts';
import { findUserAndBlocks } from '../people/blocks.ts';
import { getSeeded } from '../people/seeded.ts';
import { findUser, getSelf, type UserRecord } from '../people/users.ts';
import type { ChannelPeer, Peer } from './peer.ts';
import { type NamingMessage, requireNamedPeer } from './require-named-peer.ts';

type InputPeer = TlJson<tl.TypeInputPeer>;
type InputUser = TlJson<tl.TypeInputUser>;
type InputChannel = TlJson<tl.TypeInputChannel>;

/** The id by which every account may name its seeded basic group. */
const SEEDED_ALIAS = 1;

/**
 * The peer an `InputPeer` names. Errors: `PEER_ID_INVALID` for none, `CHAT_ID_INVALID` for a basic group the account is not in,
 * `CHANNEL_PRIVATE` for a channel without a username that the account is not in. `empty` says what `inputPeerEmpty` stands for; with `left`,
 * a basic group that the account has left is found as long as it has messages of it.
 */
// Not async: an async function that returns a promise takes three microtasks more.
export function resolvePeer(
  call: CallContext,
  peer: InputPeer,
  { empty = 'self', left = false }: { empty?: 'self' | 'channel'; left?: boolean } = {},
): Promise<Peer> {
  switch (peer._) {
    case 'inputPeerEmpty':
      return emptyPeer(call, empty);
    case 'inputPeerSelf':
      return selfPeer(call);
    case 'inputPeerUser':
      return userPeer(call, peer.userId, peer.accessHash, 'PEER_ID_INVALID');
    case 'inputPeerUserFromMessage':
      return userFromMessage(call, peer, 'PEER_ID_INVALID');
    case 'inputPeerChat':
      return chatPeer(call, peer.chatId, left);
    case 'inputPeerChannel':
      return channelPeer(call, peer.channelId, peer.accessHash);
    case 'inputPeerChannelFromMessage':
      return channelFromMessage(call, peer);
    default:
      return Promise.reject(new MessengerError('PEER_ID_INVALID'));
  }
}

async function emptyPeer(call: CallContext, empty: 'self' | 'channel'): Promise<Peer> {
  if (call.account.strictPeers) throw new MessengerError('PEER_ID_INVALID');
  return empty === 'self' ? selfPeer(call) : channelPeer(call, (await getSeeded(call)).channelId, null);
}

/** The user an `InputUser` names; `inputUserEmpty` is the seeded contact. Errors: `USER_ID_INVALID`. */
export async function resolveUser(call: CallContext, user: InputUser): Promise<UserRecord> {
  switch (user._) {
    case 'inputUserEmpty': {
      if (call.account.strictPeers) throw new MessengerError('USER_ID_INVALID');
      const contact = await findUser(call, (await getSeeded(call)).contactId);
      if (!contact) throw new MessengerError('USER_ID_INVALID');
      return contact;
    }
    case 'inputUserSelf':
      return getSelf(call);
    case 'inputUser':
      return (await userPeer(call, user.userId, user.accessHash, 'USER_ID_INVALID')).user;
    case 'inputUserFromMessage':
      return (await userFromMessage(call, user, 'USER_ID_INVALID')).user;
    default:
      throw new MessengerError('USER_ID_INVALID');
  }
}

/** The channel an `InputChannel` names; `inputChannelEmpty` is the seeded one. Errors: `CHANNEL_INVALID`, `CHANNEL_PRIVATE`. */
export async function resolveChannel(call: CallContext, channel: InputChannel): Promise<ChannelPeer> {
  switch (channel._) {
    case 'inputChannelEmpty':
      if (call.account.strictPeers) throw new MessengerError('CHANNEL_INVALID');
      return channelPeer(call, (await getSeeded(call)).channelId, null);
    case 'inputChannel':
      return channelPeer(call, channel.channelId, channel.accessHash);
    case 'inputChannelFromMessage':
      return channelFromMessage(call, channel);
    default:
      throw new MessengerError('CHANNEL_INVALID');
  }
}

/** The id of the basic group that an account means by one: 1 is the seeded group. */
export async function toChatId(call: CallContext, chatId: number): Promise<number> {
  const alias = chatId === SEEDED_ALIAS && !call.account.strictPeers;
  return alias ? (await getSeeded(call)).chatId : chatId;
}

/**
 * The basic group with this id, of which the account must be a member, or with `left` at least have messages; 1 is the seeded group. Errors:
 * `CHAT_ID_INVALID`.
 */
export async function resolveChat(call: CallContext, chatId: number, left = false): Promise<ChatRecord> {
  const { tx, account } = call;
  const [chat] = await findChats(call, [await toChatId(call, chatId)]);
  if (chat && isMemberOf(chat, account.userId)) return chat;
  // A former member keeps the messages from its time in the group.
  const own = chat && left ? await tx.read.zcard(tx.key(historyKey(account.userId, `g${chat.id}`))) : 0;
  if (!chat || own === 0) throw new MessengerError('CHAT_ID_INVALID');
  return chat;
}

/** Whether a user is in a basic group. */
export function isMemberOf({ members }: ChatRecord, userId: number): boolean {
  return members.some((member) => member.userId === userId);
}

async function selfPeer(call: CallContext): Promise<Peer> {
  const user = await getSelf(call);
  return { kind: 'user', id: user.id, key: `u${user.id}`, user };
}

async function userPeer(call: CallContext, id: number, accessHash: string | null, error: string) {
  const { user, blocks } = await findUserAndBlocks(call, id);
  if (!user || isForeignHash(call, accessHash, user.accessHash)) throw new MessengerError(error);
  return { kind: 'user', id, key: `u${id}`, user, blocks } as const;
}

async function chatPeer(call: CallContext, chatId: number, left: boolean): Promise<Peer> {
  const chat = await resolveChat(call, chatId, left);
  return {
    kind: 'chat',
    id: chat.id,
    key: `g${chat.id}`,
    chat,
    raw: JSON.stringify(chat),
  };
}

async function channelPeer(call: CallContext, id: number, accessHash: string | null): Promise<ChannelPeer> {
  const [[channel], member] = await Promise.all([
    findChannels(call, [id]),
    findMember(call, id, call.account.userId),
  ]);
  if (!channel || isForeignHash(call, accessHash, channel.accessHash))
    throw new MessengerError('CHANNEL_INVALID');
  if (!member && !(await isOpen(call, channel))) throw new MessengerError('CHANNEL_PRIVATE');
  return { kind: 'channel', id, key: `c${id}`, channel, member };
}

// A monoforum is open to the users its channel is open to.
async function isOpen(call: CallContext, { id, username, kind, linkedId }: ChannelRecord): Promise<boolean> {
  if (kind !== 'monoforum' || linkedId === null) return username !== null && !(await isKicked(call, id));
  const [[channel], member] = await Promise.all([
    findChannels(call, [linkedId]),
    findMember(call, linkedId, call.account.userId),
  ]);
  if (member) return true;
  return (channel?.username ?? null) !== null && !(await isKicked(call, linkedId));
}

async function userFromMessage(
  call: CallContext,
  { userId, ...at }: NamingMessage & { userId: number },
  error: string,
) {
  if (call.account.strictPeers)
    await requireNamedPeer(call, at, (peer) => resolvePeer(call, peer), { key: `u${userId}`, error });
  return userPeer(call, userId, null, error);
}

async function channelFromMessage(
  call: CallContext,
  { channelId, ...at }: NamingMessage & { channelId: number },
): Promise<ChannelPeer> {
  if (call.account.strictPeers) {
    const named = { key: `c${channelId}`, error: 'CHANNEL_INVALID' } as const;
    await requireNamedPeer(call, at, (peer) => resolvePeer(call, peer), named);
  }
  return channelPeer(call, channelId, null);
}

/** Whether a strict account gives another hash than `own`. A bot may give 0 for one it does not know. Source: core.telegram.org/api/bots. */
export function isForeignHash({ account }: CallContext, given: string | null, own: string): boolean {
  if (!account.strictPeers || given === null || (account.bot && given === '0')) return false;
  return given !== own;
}
