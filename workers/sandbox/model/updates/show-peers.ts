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
import { PeerRecords, type RecordTexts } from './peer-records.ts';
import { ShownUsers } from './shown-users.ts';

// A group of 90 would else be told 90 times of all its members. Those first named come first: who wrote, and where.
const SHOWN_MAX = 400;
const SHOWN_ALWAYS = 4;

const shownUsers = new ShownUsers();
const TO_ITSELF = 'self';

/**
 * Reads whom `showPeers` will show of a call that is about to write in a private chat, together with what the call reads first. It
 * would else wait for Redis a second time.
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
 * Puts beside each update of a call the users and chats that it mentions, as its receiver sees them once the call is committed. Peers that
 * do not exist are left out, and so are those beyond 400 users and 400 chats of all updates together, but for four of each. What several
 * receivers see alike is sent once. `records` is what was read ahead.
 */
export async function showPeers(call: CallContext, records = new PeerRecords(call)): Promise<void> {
  const { pendingUpdates } = call.tx;
  if (pendingUpdates.length === 0) return;
  const most = Math.max(SHOWN_ALWAYS, Math.floor(SHOWN_MAX / pendingUpdates.length));
  const views = pendingUpdates.map((pending) => viewOf(records, pending, most));
  await records.settle();
  for (const [text, group] of groupBy(views, (view) => show(records, view, call.date))) {
    call.tx.mention(
      group.map(({ pending }) => pending),
      text,
    );
  }
}

/** Whom an update names, and what there is of them for who receives it. */
interface View {
  pending: PendingUpdate;
  viewerId: number;
  userIds: number[];
  chats: TlPeer[];
  users: RecordTexts;
  contacts: RecordTexts;
}

function viewOf(records: PeerRecords, pending: PendingUpdate, most: number): View {
  const viewerId = pending.target.userId;
  const userIds: number[] = [];
  const others: number[] = [];
  const chats: TlPeer[] = [];
  for (const peer of peersOf(pending.update)) {
    if (peer._ !== 'peerUser') {
      if (chats.length < most) chats.push(peer);
    } else if (userIds.length < most) {
      userIds.push(peer.userId);
      // Nobody is a contact of its own.
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

function show(records: PeerRecords, view: View, date: number): string {
  const users: string[] = [];
  for (const id of view.userIds) {
    const text = showUser(view, id, date);
    if (text !== null) users.push(text);
  }
  const chats: string[] = [];
  for (const peer of view.chats) {
    const text = showChat(records, peer, view.viewerId, date);
    if (text !== null) chats.push(text);
  }
  return `{"users":[${users.join(',')}],"chats":[${chats.join(',')}]}`;
}

function showUser({ viewerId, users, contacts }: View, id: number, date: number): string | null {
  const text = users.get(id) ?? null;
  if (text === null) return null;
  const contact = contacts.get(id) ?? null;
  const seen = id === viewerId ? TO_ITSELF : (contact ?? '');
  const known = shownUsers.find(text, seen);
  if (known !== undefined) return known;
  const record = JSON.parse(text) as UserRecord;
  const viewer = { account: { userId: viewerId }, date };
  const noted = contact === null ? null : (JSON.parse(contact) as ContactRecord);
  const user = toTlUser(viewer, record, noted);
  // What is empty is not said, as unset flags are not: it would be kept with every update.
  if (user._ === 'user' && user.status?._ === 'userStatusEmpty') delete user.status;
  const shown = JSON.stringify(user);
  // Whether it is online changes with time.
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
  return JSON.stringify(isKicked ? toForbiddenChannel(channel) : toTlChannel(channel, viewerId, member));
}
