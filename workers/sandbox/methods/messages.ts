// Made by `npm run docs` from the files in `methods/`; do not edit.
import * as addChatUser from './messages/add-chat-user.ts';
import * as checkChatInvite from './messages/check-chat-invite.ts';
import * as clickSponsoredMessage from './messages/click-sponsored-message.ts';
import * as createChat from './messages/create-chat.ts';
import * as createForumTopic from './messages/create-forum-topic.ts';
import * as deleteChat from './messages/delete-chat.ts';
import * as deleteChatUser from './messages/delete-chat-user.ts';
import * as deleteHistory from './messages/delete-history.ts';
import * as deleteMessages from './messages/delete-messages.ts';
import * as deleteScheduledMessages from './messages/delete-scheduled-messages.ts';
import * as deleteTopicHistory from './messages/delete-topic-history.ts';
import * as editChatAbout from './messages/edit-chat-about.ts';
import * as editChatDefaultBannedRights from './messages/edit-chat-default-banned-rights.ts';
import * as editChatParticipantRank from './messages/edit-chat-participant-rank.ts';
import * as editChatTitle from './messages/edit-chat-title.ts';
import * as editExportedChatInvite from './messages/edit-exported-chat-invite.ts';
import * as editForumTopic from './messages/edit-forum-topic.ts';
import * as editMessage from './messages/edit-message.ts';
import * as exportChatInvite from './messages/export-chat-invite.ts';
import * as forwardMessages from './messages/forward-messages.ts';
import * as getAllDrafts from './messages/get-all-drafts.ts';
import * as getBotCallbackAnswer from './messages/get-bot-callback-answer.ts';
import * as getChatInviteImporters from './messages/get-chat-invite-importers.ts';
import * as getChats from './messages/get-chats.ts';
import * as getCommonChats from './messages/get-common-chats.ts';
import * as getDialogFilters from './messages/get-dialog-filters.ts';
import * as getDialogs from './messages/get-dialogs.ts';
import * as getDiscussionMessage from './messages/get-discussion-message.ts';
import * as getExportedChatInvite from './messages/get-exported-chat-invite.ts';
import * as getExportedChatInvites from './messages/get-exported-chat-invites.ts';
import * as getForumTopics from './messages/get-forum-topics.ts';
import * as getForumTopicsByID from './messages/get-forum-topics-by-i-d.ts';
import * as getFullChat from './messages/get-full-chat.ts';
import * as getHistory from './messages/get-history.ts';
import * as getMessageReactionsList from './messages/get-message-reactions-list.ts';
import * as getMessages from './messages/get-messages.ts';
import * as getMessagesReactions from './messages/get-messages-reactions.ts';
import * as getMessagesViews from './messages/get-messages-views.ts';
import * as getPeerDialogs from './messages/get-peer-dialogs.ts';
import * as getPeerSettings from './messages/get-peer-settings.ts';
import * as getPollResults from './messages/get-poll-results.ts';
import * as getRichMessage from './messages/get-rich-message.ts';
import * as getSavedDialogs from './messages/get-saved-dialogs.ts';
import * as getSavedHistory from './messages/get-saved-history.ts';
import * as getScheduledHistory from './messages/get-scheduled-history.ts';
import * as getScheduledMessages from './messages/get-scheduled-messages.ts';
import * as getSponsoredMessages from './messages/get-sponsored-messages.ts';
import * as getUnreadMentions from './messages/get-unread-mentions.ts';
import * as getUnreadPollVotes from './messages/get-unread-poll-votes.ts';
import * as importChatInvite from './messages/import-chat-invite.ts';
import * as markDialogUnread from './messages/mark-dialog-unread.ts';
import * as readDiscussion from './messages/read-discussion.ts';
import * as readHistory from './messages/read-history.ts';
import * as readMentions from './messages/read-mentions.ts';
import * as readMessageContents from './messages/read-message-contents.ts';
import * as readPollVotes from './messages/read-poll-votes.ts';
import * as reorderPinnedForumTopics from './messages/reorder-pinned-forum-topics.ts';
import * as saveDraft from './messages/save-draft.ts';
import * as search from './messages/search.ts';
import * as searchGlobal from './messages/search-global.ts';
import * as sendMedia from './messages/send-media.ts';
import * as sendMessage from './messages/send-message.ts';
import * as sendMultiMedia from './messages/send-multi-media.ts';
import * as sendReaction from './messages/send-reaction.ts';
import * as sendScheduledMessages from './messages/send-scheduled-messages.ts';
import * as sendVote from './messages/send-vote.ts';
import * as setBotCallbackAnswer from './messages/set-bot-callback-answer.ts';
import * as setTyping from './messages/set-typing.ts';
import * as toggleNoForwards from './messages/toggle-no-forwards.ts';
import * as unpinAllMessages from './messages/unpin-all-messages.ts';
import * as updateDialogFilter from './messages/update-dialog-filter.ts';
import * as updateDialogFiltersOrder from './messages/update-dialog-filters-order.ts';
import * as updatePinnedForumTopic from './messages/update-pinned-forum-topic.ts';
import * as updatePinnedMessage from './messages/update-pinned-message.ts';
import * as uploadMedia from './messages/upload-media.ts';
import * as viewSponsoredMessage from './messages/view-sponsored-message.ts';

export const methods = {
  'messages.addChatUser': addChatUser.addChatUser,
  'messages.checkChatInvite': checkChatInvite.checkChatInvite,
  'messages.clickSponsoredMessage': clickSponsoredMessage.clickSponsoredMessage,
  'messages.createChat': createChat.createChat,
  'messages.createForumTopic': createForumTopic.createForumTopic,
  'messages.deleteChat': deleteChat.deleteChat,
  'messages.deleteChatUser': deleteChatUser.deleteChatUser,
  'messages.deleteHistory': deleteHistory.deleteHistory,
  'messages.deleteMessages': deleteMessages.deleteMessages,
  'messages.deleteScheduledMessages': deleteScheduledMessages.deleteScheduledMessages,
  'messages.deleteTopicHistory': deleteTopicHistory.deleteTopicHistory,
  'messages.editChatAbout': editChatAbout.editChatAbout,
  'messages.editChatDefaultBannedRights': editChatDefaultBannedRights.editChatDefaultBannedRights,
  'messages.editChatParticipantRank': editChatParticipantRank.editChatParticipantRank,
  'messages.editChatTitle': editChatTitle.editChatTitle,
  'messages.editExportedChatInvite': editExportedChatInvite.editExportedChatInvite,
  'messages.editForumTopic': editForumTopic.editForumTopic,
  'messages.editMessage': editMessage.editMessage,
  'messages.exportChatInvite': exportChatInvite.exportChatInvite,
  'messages.forwardMessages': forwardMessages.forwardMessages,
  'messages.getAllDrafts': getAllDrafts.getAllDrafts,
  'messages.getBotCallbackAnswer': getBotCallbackAnswer.getBotCallbackAnswer,
  'messages.getChatInviteImporters': getChatInviteImporters.getChatInviteImporters,
  'messages.getChats': getChats.getChats,
  'messages.getCommonChats': getCommonChats.getCommonChats,
  'messages.getDialogFilters': getDialogFilters.getDialogFilters,
  'messages.getDialogs': getDialogs.getDialogs,
  'messages.getDiscussionMessage': getDiscussionMessage.getDiscussionMessage,
  'messages.getExportedChatInvite': getExportedChatInvite.getExportedChatInvite,
  'messages.getExportedChatInvites': getExportedChatInvites.getExportedChatInvites,
  'messages.getForumTopics': getForumTopics.getForumTopics,
  'messages.getForumTopicsByID': getForumTopicsByID.getForumTopicsById,
  'messages.getFullChat': getFullChat.getFullChat,
  'messages.getHistory': getHistory.getHistory,
  'messages.getMessageReactionsList': getMessageReactionsList.getMessageReactionsList,
  'messages.getMessages': getMessages.getMessages,
  'messages.getMessagesReactions': getMessagesReactions.getMessagesReactions,
  'messages.getMessagesViews': getMessagesViews.getMessagesViews,
  'messages.getPeerDialogs': getPeerDialogs.getPeerDialogs,
  'messages.getPeerSettings': getPeerSettings.getPeerSettings,
  'messages.getPollResults': getPollResults.getPollResults,
  'messages.getRichMessage': getRichMessage.getRichMessage,
  'messages.getSavedDialogs': getSavedDialogs.getSavedDialogs,
  'messages.getSavedHistory': getSavedHistory.getSavedHistory,
  'messages.getScheduledHistory': getScheduledHistory.getScheduledHistory,
  'messages.getScheduledMessages': getScheduledMessages.getScheduledMessages,
  'messages.getSponsoredMessages': getSponsoredMessages.getSponsoredMessages,
  'messages.getUnreadMentions': getUnreadMentions.getUnreadMentions,
  'messages.getUnreadPollVotes': getUnreadPollVotes.getUnreadPollVotes,
  'messages.importChatInvite': importChatInvite.importChatInvite,
  'messages.markDialogUnread': markDialogUnread.markDialogUnread,
  'messages.readDiscussion': readDiscussion.readDiscussion,
  'messages.readHistory': readHistory.readHistory,
  'messages.readMentions': readMentions.readMentions,
  'messages.readMessageContents': readMessageContents.readMessageContents,
  'messages.readPollVotes': readPollVotes.readPollVotes,
  'messages.reorderPinnedForumTopics': reorderPinnedForumTopics.reorderPinnedForumTopics,
  'messages.saveDraft': saveDraft.saveDraft,
  'messages.search': search.search,
  'messages.searchGlobal': searchGlobal.searchGlobal,
  'messages.sendMedia': sendMedia.sendMedia,
  'messages.sendMessage': sendMessage.sendMessage,
  'messages.sendMultiMedia': sendMultiMedia.sendMultiMedia,
  'messages.sendReaction': sendReaction.sendReaction,
  'messages.sendScheduledMessages': sendScheduledMessages.sendScheduledMessages,
  'messages.sendVote': sendVote.sendVote,
  'messages.setBotCallbackAnswer': setBotCallbackAnswer.setBotCallbackAnswer,
  'messages.setTyping': setTyping.setTyping,
  'messages.toggleNoForwards': toggleNoForwards.toggleNoForwards,
  'messages.unpinAllMessages': unpinAllMessages.unpinAllMessages,
  'messages.updateDialogFilter': updateDialogFilter.updateDialogFilter,
  'messages.updateDialogFiltersOrder': updateDialogFiltersOrder.updateDialogFiltersOrder,
  'messages.updatePinnedForumTopic': updatePinnedForumTopic.updatePinnedForumTopic,
  'messages.updatePinnedMessage': updatePinnedMessage.updatePinnedMessage,
  'messages.uploadMedia': uploadMedia.uploadMedia,
  'messages.viewSponsoredMessage': viewSponsoredMessage.viewSponsoredMessage,
};

export const examples = {
  'messages.addChatUser': addChatUser.example,
  'messages.checkChatInvite': checkChatInvite.example,
  'messages.clickSponsoredMessage': clickSponsoredMessage.example,
  'messages.createChat': createChat.example,
  'messages.createForumTopic': createForumTopic.example,
  'messages.deleteChat': deleteChat.example,
  'messages.deleteChatUser': deleteChatUser.example,
  'messages.deleteHistory': deleteHistory.example,
  'messages.deleteMessages': deleteMessages.example,
  'messages.deleteScheduledMessages': deleteScheduledMessages.example,
  'messages.deleteTopicHistory': deleteTopicHistory.example,
  'messages.editChatAbout': editChatAbout.example,
  'messages.editChatDefaultBannedRights': editChatDefaultBannedRights.example,
  'messages.editChatParticipantRank': editChatParticipantRank.example,
  'messages.editChatTitle': editChatTitle.example,
  'messages.editExportedChatInvite': editExportedChatInvite.example,
  'messages.editForumTopic': editForumTopic.example,
  'messages.editMessage': editMessage.example,
  'messages.exportChatInvite': exportChatInvite.example,
  'messages.forwardMessages': forwardMessages.example,
  'messages.getAllDrafts': getAllDrafts.example,
  'messages.getBotCallbackAnswer': getBotCallbackAnswer.example,
  'messages.getChatInviteImporters': getChatInviteImporters.example,
  'messages.getChats': getChats.example,
  'messages.getCommonChats': getCommonChats.example,
  'messages.getDialogFilters': getDialogFilters.example,
  'messages.getDialogs': getDialogs.example,
  'messages.getDiscussionMessage': getDiscussionMessage.example,
  'messages.getExportedChatInvite': getExportedChatInvite.example,
  'messages.getExportedChatInvites': getExportedChatInvites.example,
  'messages.getForumTopics': getForumTopics.example,
  'messages.getForumTopicsByID': getForumTopicsByID.example,
  'messages.getFullChat': getFullChat.example,
  'messages.getHistory': getHistory.example,
  'messages.getMessageReactionsList': getMessageReactionsList.example,
  'messages.getMessages': getMessages.example,
  'messages.getMessagesReactions': getMessagesReactions.example,
  'messages.getMessagesViews': getMessagesViews.example,
  'messages.getPeerDialogs': getPeerDialogs.example,
  'messages.getPeerSettings': getPeerSettings.example,
  'messages.getPollResults': getPollResults.example,
  'messages.getRichMessage': getRichMessage.example,
  'messages.getSavedDialogs': getSavedDialogs.example,
  'messages.getSavedHistory': getSavedHistory.example,
  'messages.getScheduledHistory': getScheduledHistory.example,
  'messages.getScheduledMessages': getScheduledMessages.example,
  'messages.getSponsoredMessages': getSponsoredMessages.example,
  'messages.getUnreadMentions': getUnreadMentions.example,
  'messages.getUnreadPollVotes': getUnreadPollVotes.example,
  'messages.importChatInvite': importChatInvite.example,
  'messages.markDialogUnread': markDialogUnread.example,
  'messages.readDiscussion': readDiscussion.example,
  'messages.readHistory': readHistory.example,
  'messages.readMentions': readMentions.example,
  'messages.readMessageContents': readMessageContents.example,
  'messages.readPollVotes': readPollVotes.example,
  'messages.reorderPinnedForumTopics': reorderPinnedForumTopics.example,
  'messages.saveDraft': saveDraft.example,
  'messages.search': search.example,
  'messages.searchGlobal': searchGlobal.example,
  'messages.sendMedia': sendMedia.example,
  'messages.sendMessage': sendMessage.example,
  'messages.sendMultiMedia': sendMultiMedia.example,
  'messages.sendReaction': sendReaction.example,
  'messages.sendScheduledMessages': sendScheduledMessages.example,
  'messages.sendVote': sendVote.example,
  'messages.setBotCallbackAnswer': setBotCallbackAnswer.example,
  'messages.setTyping': setTyping.example,
  'messages.toggleNoForwards': toggleNoForwards.example,
  'messages.unpinAllMessages': unpinAllMessages.example,
  'messages.updateDialogFilter': updateDialogFilter.example,
  'messages.updateDialogFiltersOrder': updateDialogFiltersOrder.example,
  'messages.updatePinnedForumTopic': updatePinnedForumTopic.example,
  'messages.updatePinnedMessage': updatePinnedMessage.example,
  'messages.uploadMedia': uploadMedia.example,
  'messages.viewSponsoredMessage': viewSponsoredMessage.example,
};

export const differences = {
  'messages.addChatUser': addChatUser.difference,
  'messages.deleteChat': deleteChat.difference,
  'messages.deleteHistory': deleteHistory.difference,
  'messages.deleteMessages': deleteMessages.difference,
  'messages.deleteScheduledMessages': deleteScheduledMessages.difference,
  'messages.deleteTopicHistory': deleteTopicHistory.difference,
  'messages.editChatDefaultBannedRights': editChatDefaultBannedRights.difference,
  'messages.editExportedChatInvite': editExportedChatInvite.difference,
  'messages.exportChatInvite': exportChatInvite.difference,
  'messages.forwardMessages': forwardMessages.difference,
  'messages.getBotCallbackAnswer': getBotCallbackAnswer.difference,
  'messages.getChatInviteImporters': getChatInviteImporters.difference,
  'messages.getChats': getChats.difference,
  'messages.getDialogs': getDialogs.difference,
  'messages.getDiscussionMessage': getDiscussionMessage.difference,
  'messages.getExportedChatInvites': getExportedChatInvites.difference,
  'messages.getForumTopics': getForumTopics.difference,
  'messages.getMessagesReactions': getMessagesReactions.difference,
  'messages.getPeerDialogs': getPeerDialogs.difference,
  'messages.getRichMessage': getRichMessage.difference,
  'messages.getSavedHistory': getSavedHistory.difference,
  'messages.getScheduledMessages': getScheduledMessages.difference,
  'messages.getSponsoredMessages': getSponsoredMessages.difference,
  'messages.getUnreadMentions': getUnreadMentions.difference,
  'messages.getUnreadPollVotes': getUnreadPollVotes.difference,
  'messages.importChatInvite': importChatInvite.difference,
  'messages.readMessageContents': readMessageContents.difference,
  'messages.saveDraft': saveDraft.difference,
  'messages.search': search.difference,
  'messages.searchGlobal': searchGlobal.difference,
  'messages.sendMedia': sendMedia.difference,
  'messages.sendMultiMedia': sendMultiMedia.difference,
  'messages.sendReaction': sendReaction.difference,
  'messages.sendScheduledMessages': sendScheduledMessages.difference,
  'messages.setTyping': setTyping.difference,
  'messages.unpinAllMessages': unpinAllMessages.difference,
  'messages.updateDialogFilter': updateDialogFilter.difference,
  'messages.updatePinnedMessage': updatePinnedMessage.difference,
  'messages.uploadMedia': uploadMedia.difference,
};
