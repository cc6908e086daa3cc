import * as m from '@mtcute/core/methods.js';
import { all, FILE, type Use } from '../../support/clients/world.ts';

const NO_RIGHTS = { sendMedia: true } as never;

export const chats: Record<string, Use> = {
  addChatMembers: async (w) => m.addChatMembers(w.ada, await w.group(), w.toBot, {}),
  archiveChats: (w) => m.archiveChats(w.ada, w.toBob),
  banChatMember: async (w) => m.banChatMember(w.ada, await w.shared()),
  createChannel: (w) => w.channel(),
  createGroup: (w) => w.group(),
  createSupergroup: (w) => w.supergroup(),
  deleteChannel: async (w) => m.deleteChannel(w.ada, await w.channel()),
  deleteChatPhoto: async (w) => m.deleteChatPhoto(w.ada, await w.channel()),
  deleteGroup: async (w) => m.deleteGroup(w.ada, await w.group()),
  deleteHistory: async (w) => {
    await w.text();
    await m.deleteHistory(w.ada, w.toBob, { mode: 'delete' });
  },
  deleteUserHistory: async (w) => m.deleteUserHistory(w.ada, await w.shared()),
  editAdminRights: async (w) =>
    m.editAdminRights(w.ada, { ...(await w.shared()), rights: { banUsers: true } as never }),
  editChatMemberRank: async (w) => m.editChatMemberRank(w.ada, { ...(await w.shared()), rank: 'Boss' }),
  getChatEventLog: async (w) => m.getChatEventLog(w.ada, await w.supergroup()),
  getChatMember: async (w) => m.getChatMember(w.ada, { chatId: await w.supergroup(), userId: 'me' }),
  getChatMembers: async (w) => m.getChatMembers(w.ada, await w.supergroup()),
  getChatPreview: async (w) =>
    m.getChatPreview(w.bob, (await m.exportInviteLink(w.ada, await w.supergroup())).link),
  getChat: async (w) => m.getChat(w.ada, (await w.channel()).id),
  getChats: async (w) => m.getChats(w.ada, [(await w.group()).id, (await w.channel()).id]),
  getCreatorAfterLeave: async (w) => m.getCreatorAfterLeave(w.ada, await w.supergroup()),
  getFullChat: async (w) => m.getFullChat(w.ada, (await w.channel()).id),
  getFullUser: (w) => m.getFullUser(w.ada, w.toBob),
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
  markChatUnread: (w) => m.markChatUnread(w.ada, w.toBob),
  openChat: async (w) => m.openChat(w.ada, await w.channel()),
  closeChat: async (w) => m.closeChat(w.ada, await w.channel()),
  reorderUsernames: (w) => m.reorderUsernames(w.ada, 'me', [w.ada.account.username]),
  restrictChatMember: async (w) =>
    m.restrictChatMember(w.ada, { ...(await w.shared()), restrictions: NO_RIGHTS }),
  saveDraft: (w) => m.saveDraft(w.ada, w.toBob, { message: 'Later' }),
  setChatColor: async (w) => m.setChatColor(w.ada, { peer: await w.channel(), color: 1 }),
  setChatDefaultPermissions: async (w) => m.setChatDefaultPermissions(w.ada, await w.supergroup(), NO_RIGHTS),
  setChatDescription: async (w) => m.setChatDescription(w.ada, await w.channel(), 'New'),
  setChatPhoto: async (w) => m.setChatPhoto(w.ada, { chatId: await w.channel(), type: 'photo', media: FILE }),
  setChatTitle: async (w) => m.setChatTitle(w.ada, await w.group(), 'New title'),
  setChatTtl: (w) => m.setChatTtl(w.ada, w.toBob, 86_400),
  setChatUsername: async (w) => {
    const chat = await w.channel();
    await m.setChatUsername(w.ada, chat, `named_${Math.abs(chat.id)}`);
  },
  setSlowMode: async (w) => m.setSlowMode(w.ada, await w.supergroup(), 30),
  toggleContentProtection: async (w) => m.toggleContentProtection(w.ada, await w.channel(), true),
  toggleFragmentUsername: (w) =>
    m.toggleFragmentUsername(w.ada, { peerId: 'me', username: 'x', active: true }),
  toggleJoinRequests: async (w) => m.toggleJoinRequests(w.ada, await w.supergroup(), true),
  toggleJoinToSend: async (w) => m.toggleJoinToSend(w.ada, await w.supergroup(), true),
  transferChatOwnership: async (w) =>
    m.transferChatOwnership(w.ada, { ...(await w.shared()), password: 'x' }),
  unarchiveChats: (w) => m.unarchiveChats(w.ada, w.toBob),
  unbanChatMember: async (w) => m.unbanChatMember(w.ada, await w.shared()),
  createInviteLink: async (w) => m.createInviteLink(w.ada, await w.supergroup()),
  editInviteLink: async (w) => {
    const chatId = await w.supergroup();
    return m.editInviteLink(w.ada, { chatId, link: await m.createInviteLink(w.ada, chatId), usageLimit: 5 });
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
    return m.revokeInviteLink(w.ada, chat, await m.createInviteLink(w.ada, chat));
  },
  createForumTopic: (w) => w.topic(),
  deleteForumTopicHistory: async (w) => {
    const { chat, topicId } = await w.topic();
    await m.deleteForumTopicHistory(w.ada, chat, topicId);
  },
  editForumTopic: async (w) => {
    const { chat, topicId } = await w.topic();
    return m.editForumTopic(w.ada, { chatId: chat, topicId, title: 'New' });
  },
  getForumTopicsById: async (w) => {
    const { chat, topicId } = await w.topic();
    return m.getForumTopicsById(w.ada, chat, topicId);
  },
  getForumTopics: async (w) => m.getForumTopics(w.ada, (await w.topic()).chat),
  iterForumTopics: async (w) => all(m.iterForumTopics(w.ada, (await w.topic()).chat)),
  reorderPinnedForumTopics: async (w) => {
    const { chat, topicId } = await w.topic();
    await m.reorderPinnedForumTopics(w.ada, { chatId: chat, order: [topicId] });
  },
  toggleForumTopicClosed: async (w) => {
    const { chat, topicId } = await w.topic();
    return m.toggleForumTopicClosed(w.ada, { chatId: chat, topicId, closed: true });
  },
  toggleForumTopicPinned: async (w) => {
    const { chat, topicId } = await w.topic();
    await m.toggleForumTopicPinned(w.ada, { chatId: chat, topicId, pinned: true });
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
