import type { ChannelRecord, ChatRecord, MemberRecord } from '../model/chats/chats.ts';
import { addPermanentInvite, newInviteHash, putInvite } from '../model/chats/invites.ts';
import { CHANNELS, CHATS, joinedKey, membersKey } from '../model/chats/keys.ts';
import { channelBox, SEQ } from '../model/common/keys.ts';
import { randomLong } from '../model/files/documents.ts';
import { addForward } from '../model/messages/channel-forwards.ts';
import { toTlPeer } from '../model/peers/tl-peer.ts';
import { USERNAMES } from '../model/people/keys.ts';
import { type Seeding, storePost, storePrivate } from './seeding.ts';

/** A basic group with a friend in it. Its service message is the second of the account's box. */
export function seedGroup(seeding: Seeding): void {
  const { call, self, ids } = seeding;
  const { date } = call;
  const chat: ChatRecord = {
    id: ids.chatId,
    title: 'Group',
    creatorId: self.id,
    date,
    version: 1,
    noforwards: false,
    members: [self.id, ids.friendId].map((userId) => ({
      userId,
      inviterId: self.id,
      date,
    })),
  };
  call.tx.hset(CHATS, chat.id, chat);
  storePrivate(seeding, `g${chat.id}`, {
    _: 'messageService',
    id: 2,
    out: true,
    fromId: { _: 'peerUser', userId: self.id },
    peerId: { _: 'peerChat', chatId: chat.id },
    date,
    action: {
      _: 'messageActionChatCreate',
      title: chat.title,
      users: [ids.friendId],
    },
  });
}

/** A basic group without other members and without messages. */
export function seedSpareChat({ call: { tx, date }, self, ids }: Seeding): void {
  const spare: ChatRecord = {
    id: ids.spareChatId ?? 0,
    title: 'Spare basic group',
    creatorId: self.id,
    date,
    version: 1,
    noforwards: false,
    members: [{ userId: self.id, inviterId: self.id, date }],
  };
  tx.hset(CHATS, spare.id, spare);
}

/** A channel whose post 1 was forwarded to a public channel, another public channel, a forum, and the channel's monoforum. */
export function seedChannels(seeding: Seeding): void {
  const { self, ids } = seeding;
  const own = {
    creatorId: self.id,
    noforwards: false,
    forum: false,
    username: null,
    linkedId: null,
  };
  const channel = {
    ...own,
    id: ids.channelId,
    kind: 'broadcast',
    title: 'Channel',
    about: 'News',
  } as const;
  addChannel(seeding, { ...channel, username: `channel_${ids.channelId}`, linkedId: ids.monoforumId }, [
    self.id,
  ]);
  const elsewhere = {
    ...own,
    creatorId: ids.contactId,
    username: `channel_${ids.publicChannelId}`,
    about: 'Elsewhere',
  };
  const members = [ids.contactId, self.id];
  addChannel(
    seeding,
    {
      ...elsewhere,
      id: ids.publicChannelId,
      kind: 'broadcast',
      title: 'Public channel',
    },
    members,
  );
  addChannel(
    seeding,
    {
      ...elsewhere,
      id: ids.openChannelId,
      username: `channel_${ids.openChannelId}`,
      kind: 'broadcast',
      title: 'Open channel',
    },
    [ids.contactId],
  );
  addChannel(
    seeding,
    {
      ...own,
      id: ids.forumId,
      kind: 'megagroup',
      title: 'Forum',
      about: '',
      forum: true,
      callActive: true,
    },
    [self.id],
  );
  const mono = {
    ...own,
    id: ids.monoforumId,
    kind: 'monoforum',
    title: 'Channel',
    about: '',
  } as const;
  addChannel(seeding, { ...mono, linkedId: ids.channelId }, [self.id]);
  const spares = [
    { id: ids.spareId ?? 0, kind: 'megagroup', title: 'Spare group', callActive: true },
    { id: ids.spareChannelId ?? 0, kind: 'broadcast', title: 'Spare channel' },
  ] as const;
  for (const spare of spares) addChannel(seeding, { ...own, ...spare, about: '' }, [self.id]);
  seedLinks(seeding);
  seedPosts(seeding);
}

// A group to join by its invite link, a link to edit, and the permanent links of the account.
function seedLinks({ call, self, ids }: Seeding): void {
  const { date, tx } = call;
  const { contactId, channelId, invitedId = 0 } = ids;
  const invited: ChatRecord = {
    id: invitedId,
    title: 'Private group',
    creatorId: contactId,
    date,
    version: 1,
    noforwards: false,
    members: [{ userId: contactId, inviterId: contactId, date }],
  };
  tx.hset(CHATS, invitedId, invited);
  const links = [
    [`g${invitedId}`, contactId],
    [`c${channelId}`, self.id],
  ] as const;
  for (const [key, adminId] of links)
    putInvite(call, key, { hash: newInviteHash(key), adminId, date, usage: 0 });
  for (const chatId of [ids.chatId, ids.spareChatId ?? 0]) addPermanentInvite(call, `g${chatId}`, self.id);
  for (const id of [channelId, ids.forumId, ids.spareId ?? 0, ids.spareChannelId ?? 0])
    addPermanentInvite(call, `c${id}`, self.id);
}

function seedPosts(seeding: Seeding): void {
  const { call, self, ids } = seeding;
  const post = {
    _: 'message',
    id: 1,
    post: true,
    date: call.date,
    message: 'The first post',
    views: 1,
    forwards: 0,
  } as const;
  const channelPeer = toTlPeer({ kind: 'channel', id: ids.channelId });
  storePost(seeding, ids.channelId, { ...post, peerId: channelPeer, forwards: 1 }, [self.id]);
  const fwdFrom = {
    _: 'messageFwdHeader',
    date: call.date,
    fromId: channelPeer,
    channelPost: 1,
  } as const;
  const publicPeer = toTlPeer({ kind: 'channel', id: ids.publicChannelId });
  storePost(seeding, ids.publicChannelId, { ...post, peerId: publicPeer, fwdFrom }, [self.id]);
  addForward(call, { channelId: ids.channelId, msgId: 1 }, { channelId: ids.publicChannelId, msgId: 1 });
}

function addChannel(
  { call }: Seeding,
  channel: Omit<ChannelRecord, 'accessHash' | 'date'>,
  members: number[],
): void {
  const { tx, date } = call;
  tx.hset(CHANNELS, channel.id, {
    ...channel,
    accessHash: randomLong(),
    date,
  } satisfies ChannelRecord);
  // As on Telegram, where no `pts` is 0: a client asks for the changes since 1.
  tx.hset(SEQ, `pts:${channelBox(channel.id)}`, '1');
  if (channel.username !== null) tx.hset(USERNAMES, channel.username.toLowerCase(), `c${channel.id}`);
  for (const userId of members) {
    const role = userId === channel.creatorId ? 'creator' : 'member';
    tx.hset(membersKey(channel.id), userId, {
      role,
      date,
    } satisfies MemberRecord);
    tx.sadd(joinedKey(userId), channel.id);
  }
}
