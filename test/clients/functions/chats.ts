import type { Chat, User } from '@mtcute/core';
import * as m from '@mtcute/core/methods.js';
import { expect } from 'vitest';
import { all, FILE, type Use, type World } from '../../support/clients/world.ts';

const NO_RIGHTS = { sendMedia: true } as never;
/** What a member of a conversation is, as Ada sees it. */
const statusOf = async (w: World, shared: { chatId: Chat; userId: User }) =>
  (await m.getChatMember(w.ada, shared))?.status;
const idsOf = (members: { user: User }[]) => members.map(({ user }) => user.id);

/** A link to a new supergroup, by which Bob has come. */
async function cameByLink(w: World) {
  const chat = await w.supergroup();
  const link = await m.createInviteLink(w.ada, chat);
  await m.joinChat(w.bob, link.link);
  return { chat, link };
}

export const chats: Record<string, Use> = {
  addChatMembers: async (w) => {
    const chat = await w.group();
    await m.addChatMembers(w.ada, chat, w.toBot, {});
    expect(idsOf(await m.getChatMembers(w.ada, chat))).toContain(w.toBot.id);
  },
  archiveChats: async (w) => {
    await m.archiveChats(w.ada, w.toBob);
    const [dialog] = await m.getPeerDialogs(w.ada, w.toBob);
    expect(dialog?.isArchived).toBe(true);
  },
  banChatMember: async (w) => {
    const shared = await w.shared();
    await m.banChatMember(w.ada, shared);
    expect(await statusOf(w, shared)).toBe('banned');
  },
  createChannel: async (w) => expect((await w.channel()).chatType).toBe('channel'),
  createGroup: async (w) => expect((await w.group()).chatType).toBe('group'),
  createSupergroup: async (w) => expect((await w.supergroup()).chatType).toBe('supergroup'),
  deleteChannel: async (w) => {
    const chat = await w.channel();
    await m.deleteChannel(w.ada, chat);
    expect((await m.getChat(w.ada, chat)).raw._).toBe('channelForbidden');
  },
  deleteChatPhoto: async (w) => m.deleteChatPhoto(w.ada, await w.channel()),
  deleteGroup: async (w) => {
    const group = await w.group();
    await m.deleteGroup(w.ada, group);
    expect((await m.getChat(w.ada, group)).raw).toMatchObject({ left: true, participantsCount: 0 });
  },
  deleteHistory: async (w) => {
    await w.text();
    await m.deleteHistory(w.ada, w.toBob, { mode: 'delete' });
    expect(await m.getHistory(w.ada, w.toBob)).toHaveLength(0);
  },
  deleteUserHistory: async (w) => {
    const { chatId } = await w.shared();
    const { id } = await w.text(chatId);
    await m.deleteUserHistory(w.ada, { chatId, participantId: 'me' });
    expect(await m.getMessages(w.ada, chatId, id)).toEqual([null]);
  },
  editAdminRights: async (w) => {
    const shared = await w.shared();
    await m.editAdminRights(w.ada, { ...shared, rights: { banUsers: true } as never });
    expect(await statusOf(w, shared)).toBe('admin');
  },
  editChatMemberRank: async (w) => {
    const shared = await w.shared();
    await m.editChatMemberRank(w.ada, { ...shared, rank: 'Boss' });
    const member = await m.getChatMember(w.ada, shared);
    expect(member?.raw).toMatchObject({ rank: 'Boss' });
  },
  getChatEventLog: async (w) => m.getChatEventLog(w.ada, await w.supergroup()),
  getChatMember: async (w) => {
    const member = await m.getChatMember(w.ada, { chatId: await w.supergroup(), userId: 'me' });
    expect(member?.status).toBe('creator');
  },
  getChatMembers: async (w) => {
    const { chatId } = await w.shared();
    expect(idsOf(await m.getChatMembers(w.ada, chatId)).sort()).toEqual([w.toAda.id, w.toBob.id].sort());
  },
  getChatPreview: async (w) => {
    const { link } = await m.exportInviteLink(w.ada, await w.supergroup());
    expect(await m.getChatPreview(w.bob, link)).toMatchObject({ title: 'Supergroup', memberCount: 1 });
  },
  getChat: async (w) => {
    const { id } = await w.channel();
    expect(await m.getChat(w.ada, id)).toMatchObject({ id, title: 'Channel' });
  },
  getChats: async (w) => {
    const ids = [(await w.group()).id, (await w.channel()).id];
    expect((await m.getChats(w.ada, ids)).map((chat) => chat?.id)).toEqual(ids);
  },
  getCreatorAfterLeave: async (w) => m.getCreatorAfterLeave(w.ada, await w.supergroup()),
  getFullChat: async (w) => expect((await m.getFullChat(w.ada, (await w.channel()).id)).bio).toBe('About it'),
  getFullUser: async (w) => expect((await m.getFullUser(w.ada, w.toBob)).id).toBe(w.toBob.id),
  getMessageAuthor: async (w) => {
    const chatId = await w.supergroup();
    return m.getMessageAuthor(w.ada, { chatId, message: (await w.text(chatId)).id });
  },
  getPeer: async (w) => expect((await m.getPeer(w.ada, w.toBob.id)).id).toBe(w.toBob.id),
  getPeers: async (w) => {
    const ids = [w.toBob.id, w.toBot.id];
    expect((await m.getPeers(w.ada, ids)).map((peer) => peer?.id)).toEqual(ids);
  },
  getSimilarChannels: async (w) => m.getSimilarChannels(w.ada, await w.channel()),
  getUser: async (w) => expect((await m.getUser(w.ada, w.toBob.id)).username).toBe(w.bob.account.username),
  iterChatEventLog: async (w) => all(m.iterChatEventLog(w.ada, await w.supergroup())),
  iterChatMembers: async (w) => {
    const { chatId } = await w.shared();
    const members = await all(m.iterChatMembers(w.ada, chatId, { chunkSize: 1 }));
    expect(idsOf(members).sort()).toEqual([w.toAda.id, w.toBob.id].sort());
  },
  joinChat: async (w) => {
    const chat = await w.channel();
    const name = `open_${chat.inputPeer._ === 'inputPeerChannel' ? chat.inputPeer.channelId : 0}`;
    await m.setChatUsername(w.ada, chat, name);
    await m.joinChat(w.bob, name);
    expect(await statusOf(w, { chatId: chat, userId: w.toBob })).toBe('member');
  },
  kickChatMember: async (w) => {
    const chatId = await w.group();
    await m.kickChatMember(w.ada, { chatId, userId: w.toBob });
    expect(idsOf(await m.getChatMembers(w.ada, chatId))).toEqual([w.toAda.id]);
  },
  leaveChat: async (w) => {
    const chat = await w.group();
    await m.leaveChat(w.ada, chat);
    expect((await m.getChat(w.ada, chat)).raw).toMatchObject({ left: true });
  },
  markChatUnread: async (w) => {
    await m.markChatUnread(w.ada, w.toBob);
    const [dialog] = await m.getPeerDialogs(w.ada, w.toBob);
    expect(dialog?.isManuallyUnread).toBe(true);
  },
  openChat: async (w) => m.openChat(w.ada, await w.channel()),
  closeChat: async (w) => m.closeChat(w.ada, await w.channel()),
  reorderUsernames: (w) => m.reorderUsernames(w.ada, 'me', [w.ada.account.username]),
  restrictChatMember: async (w) => {
    const shared = await w.shared();
    await m.restrictChatMember(w.ada, { ...shared, restrictions: NO_RIGHTS });
    expect((await m.getChatMember(w.ada, shared))?.restrictions?.canSendMedia).toBe(false);
  },
  saveDraft: async (w) => {
    await m.saveDraft(w.ada, w.toBob, { message: 'Later' });
    expect((await m.getPeerDialogs(w.ada, w.toBob))[0]?.draftMessage?.text).toBe('Later');
  },
  setChatColor: async (w) => m.setChatColor(w.ada, { peer: await w.channel(), color: 1 }),
  setChatDefaultPermissions: async (w) => {
    const changed = await m.setChatDefaultPermissions(w.ada, await w.supergroup(), NO_RIGHTS);
    expect(changed.defaultPermissions?.canSendMedia).toBe(false);
  },
  setChatDescription: async (w) => {
    const chat = await w.channel();
    await m.setChatDescription(w.ada, chat, 'New');
    expect((await m.getFullChat(w.ada, chat)).bio).toBe('New');
  },
  setChatPhoto: async (w) => m.setChatPhoto(w.ada, { chatId: await w.channel(), type: 'photo', media: FILE }),
  setChatTitle: async (w) => {
    const chat = await w.group();
    await m.setChatTitle(w.ada, chat, 'New title');
    expect((await m.getChat(w.ada, chat)).title).toBe('New title');
  },
  setChatTtl: (w) => m.setChatTtl(w.ada, w.toBob, 86_400),
  setChatUsername: async (w) => {
    const chat = await w.channel();
    const name = `named_${Math.abs(chat.id)}`;
    await m.setChatUsername(w.ada, chat, name);
    expect((await m.getChat(w.ada, chat)).username).toBe(name);
  },
  setSlowMode: async (w) => {
    const chat = await w.supergroup();
    await m.setSlowMode(w.ada, chat, 30);
    expect((await m.getFullChat(w.ada, chat)).full).toMatchObject({ slowmodeSeconds: 30 });
  },
  toggleContentProtection: async (w) => {
    const chat = await w.channel();
    await m.toggleContentProtection(w.ada, chat, true);
    expect((await m.getChat(w.ada, chat)).hasContentProtection).toBe(true);
  },
  toggleFragmentUsername: (w) =>
    m.toggleFragmentUsername(w.ada, { peerId: 'me', username: 'x', active: true }),
  toggleJoinRequests: async (w) => m.toggleJoinRequests(w.ada, await w.supergroup(), true),
  toggleJoinToSend: async (w) => m.toggleJoinToSend(w.ada, await w.supergroup(), true),
  transferChatOwnership: async (w) =>
    m.transferChatOwnership(w.ada, { ...(await w.shared()), password: 'x' }),
  unarchiveChats: async (w) => {
    await m.unarchiveChats(w.ada, w.toBob);
    const [dialog] = await m.getPeerDialogs(w.ada, w.toBob);
    expect(dialog?.isArchived).toBe(false);
  },
  unbanChatMember: async (w) => {
    const shared = await w.shared();
    await m.restrictChatMember(w.ada, { ...shared, restrictions: NO_RIGHTS });
    await m.unbanChatMember(w.ada, shared);
    expect(await statusOf(w, shared)).toBe('member');
  },
  createInviteLink: async (w) => expect((await cameByLink(w)).link.raw.adminId).toBe(w.toAda.id),
  editInviteLink: async (w) => {
    const chatId = await w.supergroup();
    const link = await m.createInviteLink(w.ada, chatId);
    expect(await m.editInviteLink(w.ada, { chatId, link, usageLimit: 5 })).toMatchObject({ usageLimit: 5 });
  },
  exportInviteLink: async (w) =>
    expect((await m.exportInviteLink(w.ada, await w.supergroup())).isPrimary).toBe(true),
  getInviteLinkMembers: async (w) => {
    const { chat, link } = await cameByLink(w);
    expect(idsOf(await m.getInviteLinkMembers(w.ada, chat, { link }))).toEqual([w.toBob.id]);
  },
  getInviteLink: async (w) => {
    const { chat, link } = await cameByLink(w);
    expect(await m.getInviteLink(w.ada, chat, link.link)).toMatchObject({ link: link.link, usage: 1 });
  },
  getInviteLinks: async (w) => {
    const { chat, link } = await cameByLink(w);
    const [primary, ...others] = await m.getInviteLinks(w.ada, chat);
    expect(primary?.isPrimary).toBe(true);
    expect(others.map((one) => one.link)).toEqual([link.link]);
  },
  getPrimaryInviteLink: async (w) => {
    for (const chat of [await w.supergroup(), await w.channel(), await w.group()])
      expect((await m.getPrimaryInviteLink(w.ada, chat)).isPrimary).toBe(true);
    const chat = await w.supergroup();
    const { link } = await m.exportInviteLink(w.ada, chat);
    await m.createInviteLink(w.ada, chat);
    expect((await m.getPrimaryInviteLink(w.ada, chat)).link).toBe(link);
  },
  hideAllJoinRequests: async (w) =>
    m.hideAllJoinRequests(w.ada, { chatId: await w.supergroup(), action: 'approve' }),
  hideJoinRequest: async (w) =>
    m.hideJoinRequest(w.ada, { chatId: await w.supergroup(), user: w.toBob, action: 'approve' }),
  iterInviteLinkMembers: async (w) => {
    const { chat, link } = await cameByLink(w);
    expect(idsOf(await all(m.iterInviteLinkMembers(w.ada, chat, { link })))).toEqual([w.toBob.id]);
  },
  iterInviteLinks: async (w) => {
    const { chat, link } = await cameByLink(w);
    const { link: primary } = await m.getPrimaryInviteLink(w.ada, chat);
    const links = [primary, link.link, (await m.createInviteLink(w.ada, chat)).link];
    const found = (await all(m.iterInviteLinks(w.ada, chat, { chunkSize: 1 }))).map((one) => one.link);
    expect(found.sort()).toEqual(links.sort());
  },
  revokeInviteLink: async (w) => {
    const chat = await w.supergroup();
    const revoked = await m.revokeInviteLink(w.ada, chat, await m.createInviteLink(w.ada, chat));
    expect(revoked.isRevoked).toBe(true);
    const primary = await m.getPrimaryInviteLink(w.ada, chat);
    expect((await m.revokeInviteLink(w.ada, chat, primary)).isPrimary).toBe(true);
  },
  createForumTopic: async (w) => expect((await w.topic()).topicId).toBeGreaterThan(1),
  deleteForumTopicHistory: async (w) => {
    const { chat, topicId } = await w.topic();
    await m.deleteForumTopicHistory(w.ada, chat, topicId);
    const left = await m.getForumTopics(w.ada, chat);
    expect(left.map(({ id }) => id)).toEqual([1]);
  },
  editForumTopic: async (w) => {
    const { chat, topicId } = await w.topic();
    await m.editForumTopic(w.ada, { chatId: chat, topicId, title: 'New' });
    expect(await m.getForumTopicsById(w.ada, chat, topicId)).toMatchObject([{ title: 'New' }]);
  },
  getForumTopicsById: async (w) => {
    const { chat, topicId } = await w.topic();
    expect(await m.getForumTopicsById(w.ada, chat, topicId)).toMatchObject([{ id: topicId, title: 'Topic' }]);
  },
  getForumTopics: async (w) => {
    const { chat, topicId } = await w.topic();
    expect((await m.getForumTopics(w.ada, chat)).map(({ id }) => id).sort()).toEqual([1, topicId]);
  },
  iterForumTopics: async (w) => {
    const { chat, topicId } = await w.topic();
    expect((await all(m.iterForumTopics(w.ada, chat))).map(({ id }) => id).sort()).toEqual([1, topicId]);
  },
  reorderPinnedForumTopics: async (w) => {
    const { chat, topicId } = await w.topic();
    for (const id of [topicId, 1])
      await m.toggleForumTopicPinned(w.ada, { chatId: chat, topicId: id, pinned: true });
    await m.reorderPinnedForumTopics(w.ada, { chatId: chat, order: [topicId], force: true });
    const topics = await m.getForumTopicsById(w.ada, chat, [topicId, 1]);
    expect(topics.map(({ isPinned }) => isPinned)).toEqual([true, false]);
  },
  toggleForumTopicClosed: async (w) => {
    const { chat, topicId } = await w.topic();
    await m.toggleForumTopicClosed(w.ada, { chatId: chat, topicId, closed: true });
    expect(await m.getForumTopicsById(w.ada, chat, topicId)).toMatchObject([{ isClosed: true }]);
  },
  toggleForumTopicPinned: async (w) => {
    const { chat, topicId } = await w.topic();
    await m.toggleForumTopicPinned(w.ada, { chatId: chat, topicId, pinned: true });
    expect(await m.getForumTopicsById(w.ada, chat, topicId)).toMatchObject([{ isPinned: true }]);
  },
  updateForumSettings: async (w) => {
    const chat = await w.supergroup();
    await m.updateForumSettings(w.ada, chat, { isForum: true, threadsMode: 'list' });
    expect((await m.getChat(w.ada, chat)).isForum).toBe(true);
  },
  toggleGeneralTopicHidden: async (w) => {
    const { chat } = await w.topic();
    await m.toggleGeneralTopicHidden(w.ada, { chatId: chat, hidden: true });
    expect((await m.getForumTopicsById(w.ada, chat, 1))[0]?.raw.hidden).toBe(true);
  },
  applyBoost: async (w) => m.applyBoost(w.ada, await w.channel()),
  getBoostStats: async (w) => m.getBoostStats(w.ada, await w.channel()),
  getBoosts: async (w) => m.getBoosts(w.ada, await w.channel()),
  iterBoosters: async (w) => all(m.iterBoosters(w.ada, await w.channel())),
  setChatStickerSet: async (w) =>
    m.setChatStickerSet(w.ada, await w.supergroup(), { _: 'inputStickerSetShortName', shortName: 'set' }),
};
