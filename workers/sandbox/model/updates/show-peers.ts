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
import { peerKeyOf, type TlPeer } from '../peers/tl-peer.ts';
import type { ContactRecord } from '../people/contacts.ts';
import { contactsKey, USERS } from '../people/keys.ts';
import type { UserRecord } from '../people/users.ts';
import { toTlUser } from '../people/view-users.ts';
import { PeerRecords, type RecordTexts } from './peer-records.ts';
import { ShownUsers } from './shown-users.ts';

// Otherwise each of a group's 90 members would receive all 90. Peers that are named first take precedence: the author and the conversation.
const SHOWN_MAX = 400;
const SHOWN_ALWAYS = 4;

const shownUsers = new ShownUsers();
const OWN_VIEW = 'self';

/**
 * Starts to read the peers that `showPeers` will need for a call that writes to a private chat, together with the call's first reads. This
 * saves a round trip to Redis.
 */
export function readPeersAhead({ tx, account }: CallContext, params: unknown): PeerRecords | undefined {
  const { peer } = (params ?? {}) as { peer?: { _: string; userId?: number } };
  if (peer?._ !== 'inputPeerUser' || peer.userId === undefined) return undefined;
  const { userId } = account;
  const records = new PeerRecords({ tx });
  records.ask(USERS, [userId, peer.userId]);
  if (userId !== peer.userId) {
    records.ask(contactsKey(userId), [peer.userId]);
    records.ask(contactsKey(peer.userId), [userId]);
  }
  return records;
}

/**
 * Attaches to each update of a call the users and chats that it mentions, as its receiver sees them after the commit. Left out are peers
 * that do not exist, and peers beyond 400 users and 400 chats of all updates together, except four of each. Peers that several receivers
 * see alike are sent once. `records` are the records read ahead. Returns undefined if that needs no more reads.
 */
export function showPeers(call: CallContext, records = new PeerRecords(call)): Promise<void> | undefined {
  const { pendingUpdates } = call.tx;
  if (pendingUpdates.length === 0) return undefined;
  const max = Math.max(SHOWN_ALWAYS, Math.floor(SHOWN_MAX / pendingUpdates.length));
  const views = pendingUpdates.map((pending) => viewOf(records, pending, max));
  const reading = records.untilRead();
  if (reading !== undefined) return reading.then(() => mentionPeers(call, records, views));
  mentionPeers(call, records, views);
  return undefined;
}

function mentionPeers(call: CallContext, records: PeerRecords, views: View[]): void {
  records.settle();
  const shown: ShownChats = new Map();
  for (const [text, group] of groupBy(views, (view) => show(records, view, { date: call.date, shown }))) {
    call.tx.mention(
      group.map(({ pending }) => pending),
      text,
    );
  }
}

/** Chats as each viewer sees them; many updates of one call are of one channel. */
type ShownChats = Map<string, string | null>;

/** The peers that an update names, and their form for its receiver. */
interface View {
  pending: PendingUpdate;
  viewerId: number;
  userIds: number[];
  chats: TlPeer[];
  users: RecordTexts;
  contacts: RecordTexts;
}

function viewOf(records: PeerRecords, pending: PendingUpdate, max: number): View {
  const viewerId = pending.target.userId;
  const userIds: number[] = [];
  const others: number[] = [];
  const chats: TlPeer[] = [];
  for (const peer of peersOf(pending.update)) {
    if (peer._ !== 'peerUser') {
      if (chats.length < max) chats.push(peer);
    } else if (userIds.length < max) {
      userIds.push(peer.userId);
      // No user is its own contact.
      if (peer.userId !== viewerId) others.push(peer.userId);
    }
  }
  for (const peer of chats) askForChat(records, peer, viewerId);
  const users = records.ask(USERS, userIds);
  return { pending, viewerId, userIds, chats, users, contacts: records.ask(contactsKey(viewerId), others) };
}

function askForChat(records: PeerRecords, peer: TlPeer, viewerId: number): void {
  if (peer._ === 'peerChat') records.ask(CHATS, [peer.chatId]);
  if (peer._ !== 'peerChannel') return;
  records.ask(CHANNELS, [peer.channelId]);
  records.ask(membersKey(peer.channelId), [viewerId]);
  records.ask(bansKey(peer.channelId), [viewerId]);
}

function show(
  records: PeerRecords,
  view: View,
  { date, shown }: { date: number; shown: ShownChats },
): string {
  const users: string[] = [];
  for (const id of view.userIds) {
    const text = showUser(view, id, date);
    if (text !== null) users.push(text);
  }
  const chats: string[] = [];
  for (const peer of view.chats) {
    const key = `${peerKeyOf(peer)}:${view.viewerId}`;
    const text = shown.get(key) ?? showChat(records, peer, view.viewerId, date);
    shown.set(key, text);
    if (text !== null) chats.push(text);
  }
  return `{"users":[${users.join(',')}],"chats":[${chats.join(',')}]}`;
}

function showUser({ viewerId, users, contacts }: View, id: number, date: number): string | null {
  const text = users.get(id) ?? null;
  if (text === null) return null;
  const contact = contacts.get(id) ?? null;
  const seen = id === viewerId ? OWN_VIEW : (contact ?? '');
  const known = shownUsers.find(text, seen);
  if (known !== undefined) return known;
  const record = JSON.parse(text) as UserRecord;
  const viewer = { account: { userId: viewerId }, date };
  const noted = contact === null ? null : (JSON.parse(contact) as ContactRecord);
  const user = toTlUser(viewer, record, noted);
  // Empty values are left out, like unset flags: they would be stored with every update.
  if (user._ === 'user' && user.status?._ === 'userStatusEmpty') delete user.status;
  const shown = JSON.stringify(user);
  // The online status changes with time, so such users are not cached.
  if (record.onlineUntil === undefined) shownUsers.keep(text, seen, shown);
  return shown;
}

function showChat(records: PeerRecords, peer: TlPeer, viewerId: number, date: number): string | null {
  if (peer._ === 'peerChat') {
    const chat = records.get<ChatRecord>(CHATS, peer.chatId);
    return chat && JSON.stringify(toTlChat(chat, viewerId));
  }
  if (peer._ !== 'peerChannel') return null;
  const channel = records.get<ChannelRecord>(CHANNELS, peer.channelId);
  if (channel === null) return null;
  const member = records.get<MemberRecord>(membersKey(peer.channelId), viewerId);
  const ban = member ? null : records.get<Ban>(bansKey(peer.channelId), viewerId);
  const isKicked = isForbidden(ban, 'viewMessages', date);
  return JSON.stringify(isKicked ? toForbiddenChannel(channel, ban) : toTlChannel(channel, viewerId, member));
}
