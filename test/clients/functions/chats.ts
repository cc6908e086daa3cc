import * as m from '@mtcute/core/methods.js';
import { expect } from 'vitest';
import { all, FILE, type Use } from '../../support/clients/world.ts';

const NO_RIGHTS = { sendMedia: true } as never;

export const chats: Record<string, Use> = {
  addChatMembers: async (w) => m.addChatMembers(w.ada, await w.group(), w.toBot, {}),
  archiveChats: async (w) => {
    await m.archiveChats(w.ada, w.toBob);
    const [dialog] = await m.getPeerDialogs(w.ada, w.toBob);
    expect(dialog?.isArchived).toBe(true);
  },
  banChatMember: async (w) => m.banChatMember(w.ada, await w.shared()),
  createChannel: (w) => w.channel(),
  createGroup: (w) => w.group(),
  createSupergroup: (w) => w.supergroup(),
  deleteChannel: async (w) => m.deleteChannel(w.ada, await w.channel()),
  deleteChatPhoto: async (w) => m.deleteChatPhoto(w.ada, await w.channel()),
  deleteGroup: async (w) => {
    const group = await w.group();
    await m.deleteGroup(w.ada, group);
    expect((await m.getChat(w.ada, group)).raw).toMatchObject({ left: true, participantsCount: 0 });
  },
  deleteHistory: async (w) => {
    await w.text();
    await m.deleteHistory(w.ada, w.toBob, { mode: 'delete' });
  },
  deleteUserHistory: async (w) => {
    const { chatId } = await w.shared();
    const { id } = await w.text(chatId);
    await m.deleteUserHistory(w.ada, { chatId, participantId: 'me' });
    expect(await m.getMessages(w.ada, chatId, id)).toEqual([null]);
  },
  editAdminRights: async (w) =>
    m.editAdminRights(w.ada, { ...(await w.shared()), rights: { banUsers: true } as never }),
  editChatMemberRank: async (w) => {
    const shared = await w.shared();
    await m.editChatMemberRank(w.ada, { ...shared, rank: 'Boss' });
    const member = await m.getChatMember(w.ada, shared);
    expect(member?.raw).toMatchObject({ rank: 'Boss' });
  },
  getChatEventLog: async (w) => m.getChatEventLog(w.ada, await w.supergroup()),
  getChatMember: async (w) => m.getChatMember(w.ada, { chatId: await w.supergroup(), userId: 'me' }),
  getChatMembers: async (w) => m.getChatMembers(w.ada, await w.supergroup()),
  getChatPreview: async (w) =>
    m.getChatPreview(w.bob, (await m.exportInviteLink(w.ada, await w.supergroup())).link),
  getChat: async (w) => m.getChat(w.ada, (await w.channel()).id),
  getChats: async (w) => m.getChats(w.ada, [(await w.group()).id, (await w.channel()).id]),
  getCreatorAfterLeave: async (w) => m.getCreatorAfterLeave(w.ada, await w.supergroup()),
  getFullChat: async (w) => m.getFullChat(w.ada, (await w.channel()).id),
  getFullUser: async (w) => expect((await m.getFullUser(w.ada, w.toBob)).id).toBe(w.toBob.id),
  getMessageAuthor: async (w) => {
    const chatId = await w.supergroup();
    return m.getMessageAuthor(w.ada, { chatId, message: (await w.text(chatId)).id });
  },
  getPeer: (w) => m.getPeer(w.ada, w.toBob.id),
  getPeers: (w) => m.getPeers(w.ada, [w.toBob.id, w.toBot.id]),
  getSimilarChannels: async (w) => m.getSimilarChannels(w.ada, await w.channel()),
  getUser: (w) => m.getUser(w.ada, w.toBob.id),
  iterChatEventLog: async (w) => all(m.iterChatEventLog(w.ada, await w.supergroup())),
  iterChatMembers: async (w) => all(m.iterChatMembers(w.ada, await w.supergroup())),
  joinChat: async (w) => {
    const chat = await w.channel();
    const name = `open_${chat.inputPeer._ === 'inputPeerChannel' ? chat.inputPeer.channelId : 0}`;
    await m.setChatUsername(w.ada, chat, name);
    return m.joinChat(w.bob, name);
  },
  kickChatMember: async (w) => m.kickChatMember(w.ada, { chatId: await w.group(), userId: w.toBob }),
  leaveChat: async (w) => m.leaveChat(w.ada, await w.group()),
  markChatUnread: async (w) => {
    await m.markChatUnread(w.ada, w.toBob);
    const [dialog] = await m.getPeerDialogs(w.ada, w.toBob);
    expect(dialog?.isManuallyUnread).toBe(true);
  },
  openChat: async (w) => m.openChat(w.ada, await w.channel()),
  closeChat: async (w) => m.closeChat(w.ada, await w.channel()),
  reorderUsernames: (w) => m.reorderUsernames(w.ada, 'me', [w.ada.account.username]),
  restrictChatMember: async (w) =>
    m.restrictChatMember(w.ada, { ...(await w.shared()), restrictions: NO_RIGHTS }),
  saveDraft: (w) => m.saveDraft(w.ada, w.toBob, { message: 'Later' }),
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
    await m.setChatUsername(w.ada, chat, `named_${Math.abs(chat.id)}`);
  },
  setSlowMode: async (w) => {
    const chat = await w.supergroup();
    await m.setSlowMode(w.ada, chat, 30);
    expect((await m.getFullChat(w.ada, chat)).full).toMatchObject({ slowmodeSeconds: 30 });
  },
  toggleContentProtection: async (w) => m.toggleContentProtection(w.ada, await w.channel(), true),
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
  unbanChatMember: async (w) => m.unbanChatMember(w.ada, await w.shared()),
  createInviteLink: async (w) => m.createInviteLink(w.ada, await w.supergroup()),
  editInviteLink: async (w) => {
    const chatId = await w.supergroup();
    const link = await m.createInviteLink(w.ada, chatId);
    expect(await m.editInviteLink(w.ada, { chatId, link, usageLimit: 5 })).toMatchObject({ usageLimit: 5 });
  },
  exportInviteLink: async (w) => m.exportInviteLink(w.ada, await w.supergroup()),
  getInviteLinkMembers: async (w) => m.getInviteLinkMembers(w.ada, await w.supergroup()),
  getInviteLink: async (w) => {
    const chat = await w.supergroup();
    return m.getInviteLink(w.ada, chat, (await m.exportInviteLink(w.ada, chat)).link);
  },
  getInviteLinks: async (w) => m.getInviteLinks(w.ada, await w.supergroup()),
  getPrimaryInviteLink: async (w) => {
    const chat = await w.supergroup();
    await m.exportInviteLink(w.ada, chat);
    return m.getPrimaryInviteLink(w.ada, chat);
  },
  hideAllJoinRequests: async (w) =>
    m.hideAllJoinRequests(w.ada, { chatId: await w.supergroup(), action: 'approve' }),
  hideJoinRequest: async (w) =>
    m.hideJoinRequest(w.ada, { chatId: await w.supergroup(), user: w.toBob, action: 'approve' }),
  iterInviteLinkMembers: async (w) => all(m.iterInviteLinkMembers(w.ada, await w.supergroup())),
  iterInviteLinks: async (w) => all(m.iterInviteLinks(w.ada, await w.supergroup())),
  revokeInviteLink: async (w) => {
    const chat = await w.supergroup();
    const revoked = await m.revokeInviteLink(w.ada, chat, await m.createInviteLink(w.ada, chat));
    expect(revoked.isRevoked).toBe(true);
  },
  createForumTopic: (w) => w.topic(),
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
  getForumTopics: async (w) => m.getForumTopics(w.ada, (await w.topic()).chat),
  iterForumTopics: async (w) => all(m.iterForumTopics(w.ada, (await w.topic()).chat)),
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
  updateForumSettings: async (w) =>
    m.updateForumSettings(w.ada, await w.supergroup(), { isForum: true, threadsMode: 'list' }),
  toggleGeneralTopicHidden: async (w) =>
    m.toggleGeneralTopicHidden(w.ada, { chatId: (await w.topic()).chat, hidden: true }),
  applyBoost: async (w) => m.applyBoost(w.ada, await w.channel()),
  getBoostStats: async (w) => m.getBoostStats(w.ada, await w.channel()),
  getBoosts: async (w) => m.getBoosts(w.ada, await w.channel()),
  iterBoosters: async (w) => all(m.iterBoosters(w.ada, await w.channel())),
  setChatStickerSet: async (w) =>
    m.setChatStickerSet(w.ada, await w.supergroup(), { _: 'inputStickerSetShortName', shortName: 'set' }),
};
