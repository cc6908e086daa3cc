import type { PendingUpdate } from '../../../../src/state/transaction-types.ts';
import type { CallContext } from '../../../driver.ts';
import { peersOf } from '../boxes/named-peers.ts';
import {
  type ChannelRecord,
  type ChatRecord,
  type MemberRecord,
  toForbiddenChannel,
  toTlChannel,
  toTlChat,
} from '../chats/chats.ts';
import { bansKey, CHANNELS, CHATS, membersKey } from '../chats/keys.ts';
import { type Ban, isForbidden } from '../chats/rights.ts';
import { groupBy } from '../common/group-by.ts';
import type { TlPeer } from '../peers/tl-peer.ts';
import type { ContactRecord } from '../people/contacts.ts';
import { contactsKey, USERS } from '../people/keys.ts';
import type { UserRecord } from '../people/users.ts';
import { toTlUser } from '../people/view-users.ts';

// A group of 90 would else be told 90 times of all its members. Those first named come first: who wrote, and where.
const SHOWN_MAX = 400;
const SHOWN_ALWAYS = 4;

/** The record in a field of a hash, read and parsed once, and in one command with all others of its call. */
type Read = <Kept>(name: string, id: number) => Promise<Kept | null>;

/** What was asked for before it is known to be needed. */
const readAhead = new WeakMap<CallContext['tx'], Map<string, Promise<string | null>>>();

/**
 * Reads whom `showPeers` will show of a call that is about to write in a private chat, together with what the call reads first. It
 * would else wait for Redis a second time.
 */
export function readPeersAhead({ tx, account }: CallContext, params: unknown): void {
  const { peer } = (params ?? {}) as { peer?: { _: string; userId?: number } };
  if (peer?._ !== 'inputPeerUser' || peer.userId === undefined) return;
  const ids = [account.userId, peer.userId];
  const found = new Map<string, Promise<string | null>>();
  for (const name of [USERS, ...ids.map(contactsKey)])
    for (const id of ids) {
      const value = tx.read.hget(tx.key(name), String(id));
      // Whoever needs it hears of a failure.
      value.catch(() => undefined);
      found.set(`${name} ${id}`, value);
    }
  readAhead.set(tx, found);
}

/**
 * Puts beside each update of a call the users and chats that it mentions, as its receiver sees them once the call is committed. Peers that
 * do not exist are left out, and so are those beyond 400 users and 400 chats of all updates together, but for four of each. What several
 * receivers see alike is sent once.
 */
export async function showPeers(call: CallContext): Promise<void> {
  const { pendingUpdates } = call.tx;
  if (pendingUpdates.length === 0) return;
  const read = readerOf(call);
  const most = Math.max(SHOWN_ALWAYS, Math.floor(SHOWN_MAX / pendingUpdates.length));
  const shown = await Promise.all(
    pendingUpdates.map((pending) => view(read, pending, { most, date: call.date })),
  );
  const texts = new Map(pendingUpdates.map((pending, i) => [pending, shown[i] as string]));
  for (const [text, group] of groupBy(pendingUpdates, (pending) => texts.get(pending) as string)) {
    call.tx.mention(group, text);
  }
}

async function view(
  read: Read,
  { target, update }: PendingUpdate,
  { most, date }: { most: number; date: number },
): Promise<string> {
  const users: Promise<string | null>[] = [];
  const chats: Promise<string | null>[] = [];
  for (const peer of peersOf(update)) {
    if (peer._ !== 'peerUser') {
      if (chats.length < most) chats.push(viewChat(read, peer, target.userId, date));
    } else if (users.length < most) users.push(viewUser(read, peer.userId, target.userId, date));
  }
  const [ofUsers, ofChats] = await Promise.all([joinShown(users), joinShown(chats)]);
  return `{"users":[${ofUsers}],"chats":[${ofChats}]}`;
}

async function joinShown(shown: Promise<string | null>[]): Promise<string> {
  return (await Promise.all(shown)).filter((text) => text !== null).join(',');
}

async function viewUser(read: Read, id: number, viewerId: number, date: number): Promise<string | null> {
  const [record, contact] = await Promise.all([
    read<UserRecord>(USERS, id),
    read<ContactRecord>(contactsKey(viewerId), id),
  ]);
  if (record === null) return null;
  const user = toTlUser({ account: { userId: viewerId }, date }, record, contact);
  // What is empty is not said, as unset flags are not: it would be kept with every update.
  if (user._ === 'user' && user.status?._ === 'userStatusEmpty') delete user.status;
  return JSON.stringify(user);
}

async function viewChat(read: Read, peer: TlPeer, viewerId: number, date: number): Promise<string | null> {
  if (peer._ === 'peerChat') {
    const chat = await read<ChatRecord>(CHATS, peer.chatId);
    return chat && JSON.stringify(toTlChat(chat, viewerId));
  }
  if (peer._ !== 'peerChannel') return null;
  const { channelId } = peer;
  const [channel, member] = await Promise.all([
    read<ChannelRecord>(CHANNELS, channelId),
    read<MemberRecord>(membersKey(channelId), viewerId),
  ]);
  if (channel === null) return null;
  const ban = member ? null : await read<Ban>(bansKey(channelId), viewerId);
  const isKicked = isForbidden(ban, 'viewMessages', date);
  return JSON.stringify(isKicked ? toForbiddenChannel(channel) : toTlChannel(channel, viewerId, member));
}

function readerOf({ tx }: CallContext): Read {
  const changes = new Map<string, ReadonlyMap<string, string | null>>();
  const records = new Map<string, Promise<unknown>>();
  const find = async (name: string, id: number): Promise<unknown> => {
    const changed = changes.get(name) ?? tx.changesOf(name);
    changes.set(name, changed);
    // What this commit writes is not in Redis yet.
    const written = changed.get(String(id));
    const ahead = readAhead.get(tx)?.get(`${name} ${id}`);
    const raw = written === undefined ? await (ahead ?? tx.read.hget(tx.key(name), String(id))) : written;
    return raw === null ? null : JSON.parse(raw);
  };
  return <Kept>(name: string, id: number) => {
    const field = `${name} ${id}`;
    const found = records.get(field) ?? find(name, id);
    records.set(field, found);
    return found as Promise<Kept | null>;
  };
}
