import { type CallContext, defineMethod } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { inputChannel } from '../../examples/input-peers.ts';
import { isAdmin } from '../../model/chats/channel-members.ts';
import { findPermanentInvite, toTlInvite } from '../../model/chats/invites.ts';
import { banListKey } from '../../model/chats/keys.ts';
import { findNextPostDate } from '../../model/chats/slow-mode.ts';
import { viewChannels } from '../../model/chats/view-channels.ts';
import { channelBox } from '../../model/common/keys.ts';
import { readPts } from '../../model/common/pts.ts';
import { viewFolder } from '../../model/conversations/archive.ts';
import { pinnedKey } from '../../model/conversations/keys.ts';
import { NOTIFY_SETTINGS } from '../../model/conversations/notify-settings.ts';
import { listMembers, seesMembers } from '../../model/conversations/participants.ts';
import { readTopIds } from '../../model/conversations/top-messages.ts';
import { readUnread } from '../../model/conversations/unread-state.ts';
import { findCallOf } from '../../model/group-calls/find-call.ts';
import type { ChannelPeer } from '../../model/peers/peer.ts';
import { resolveChannel } from '../../model/peers/resolve-peer.ts';
import { viewUsers } from '../../model/people/view-users.ts';
import { viewHasScheduled } from '../../model/scheduled/scheduled-messages.ts';

/** Everything about a channel or supergroup. Errors: `CHANNEL_INVALID`, `CHANNEL_PRIVATE`. */
export const getFullChannel = defineMethod('channels.getFullChannel', async (params, call) => {
  const peer = await resolveChannel(call, params.channel);
  const { id, key, channel, member } = peer;
  const ids = channel.linkedId === null ? [id] : [id, channel.linkedId];
  const [members, pts, [unread], [pinned], groupCall, chats, ofAdmins, nextPostDate, scheduled, folder] =
    await Promise.all([
      listMembers(call, id),
      readPts(call, channelBox(id)),
      readUnread(call, [{ key }]),
      readTopIds(call, [pinnedKey(call.account.userId, key)]),
      channel.callActive ? findCallOf(call, { kind: 'channel', id }) : null,
      viewChannels(call, ids),
      isAdmin(member) ? viewForAdmins(call, peer) : {},
      findNextPostDate(call, peer),
      viewHasScheduled(call, key),
      viewFolder(call, key),
    ]);
  const users = await viewUsers(
    call,
    members.map(({ userId }) => userId),
  );
  const isShown = seesMembers(peer);
  const bots = users.filter((user) => isShown && user._ === 'user' && user.bot);
  // The link is the account's own, and names it.
  const linkOf = 'exportedInvite' in ofAdmins ? call.account.userId : null;
  const isCreator = member?.role === 'creator';
  return {
    _: 'messages.chatFull',
    fullChat: {
      _: 'channelFull',
      ...scheduled,
      ...folder,
      ...(isShown ? { canViewParticipants: true } : {}),
      ...(isCreator ? { canSetUsername: true, canDeleteChannel: true } : {}),
      ...(isAdmin(member) && channel.kind === 'broadcast' ? { canViewStats: true } : {}),
      id,
      about: channel.about,
      participantsCount: members.length,
      ...ofAdmins,
      ...(isAdmin(member) ? { adminsCount: members.filter((one) => isAdmin(one.member)).length } : {}),
      readInboxMaxId: unread?.read ?? 0,
      readOutboxMaxId: unread?.seen ?? 0,
      unreadCount: unread?.count ?? 0,
      chatPhoto: { _: 'photoEmpty', id: '0' },
      notifySettings: NOTIFY_SETTINGS,
      availableReactions: { _: 'chatReactionsAll' },
      botInfo: bots.map((bot) => ({ _: 'botInfo' as const, userId: bot.id })),
      pts,
      ...(pinned ? { pinnedMsgId: pinned } : {}),
      ...(groupCall ? { call: groupCall } : {}),
      ...(channel.slowMode ? { slowmodeSeconds: channel.slowMode } : {}),
      ...(nextPostDate === null ? {} : { slowmodeNextSendDate: nextPostDate }),
    },
    chats,
    users: users.filter((user) => bots.includes(user) || user.id === linkOf),
  };
});

async function viewForAdmins(call: CallContext, { id, key }: ChannelPeer) {
  const { tx } = call;
  const [kickedCount, bannedCount, own] = await Promise.all([
    tx.read.zcard(tx.key(banListKey(id, 'kicked'))),
    tx.read.zcard(tx.key(banListKey(id, 'restricted'))),
    findPermanentInvite(call, key),
  ]);
  return { kickedCount, bannedCount, ...(own ? { exportedInvite: toTlInvite(own) } : {}) };
}

export const example: Example<'channels.getFullChannel'> = async (context) => ({
  channel: await inputChannel(context, 'channelId'),
});
