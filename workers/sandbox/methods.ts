// Made by `npm run docs` from the files in `methods/`; do not edit.
import type { MethodName } from '../../src/tl/tl-json.ts';
import type { Method } from '../driver.ts';
import type { Example } from './examples/example.ts';
import * as accountCreateTheme from './methods/account/create-theme.ts';
import * as accountDeletePasskey from './methods/account/delete-passkey.ts';
import * as accountGetPasskeys from './methods/account/get-passkeys.ts';
import * as accountGetPrivacy from './methods/account/get-privacy.ts';
import * as accountGetTheme from './methods/account/get-theme.ts';
import * as accountGetThemes from './methods/account/get-themes.ts';
import * as accountGetUniqueGiftChatThemes from './methods/account/get-unique-gift-chat-themes.ts';
import * as accountInitPasskeyRegistration from './methods/account/init-passkey-registration.ts';
import * as accountInstallTheme from './methods/account/install-theme.ts';
import * as accountRegisterPasskey from './methods/account/register-passkey.ts';
import * as accountSaveTheme from './methods/account/save-theme.ts';
import * as accountSetPrivacy from './methods/account/set-privacy.ts';
import * as accountUpdateTheme from './methods/account/update-theme.ts';
import * as accountUploadTheme from './methods/account/upload-theme.ts';
import * as channelsCreateChannel from './methods/channels/create-channel.ts';
import * as channelsDeleteMessages from './methods/channels/delete-messages.ts';
import * as channelsGetMessages from './methods/channels/get-messages.ts';
import * as channelsJoinChannel from './methods/channels/join-channel.ts';
import * as channelsReadHistory from './methods/channels/read-history.ts';
import * as channelsReadMessageContents from './methods/channels/read-message-contents.ts';
import * as channelsToggleForum from './methods/channels/toggle-forum.ts';
import * as channelsUpdateUsername from './methods/channels/update-username.ts';
import * as contactsAddContact from './methods/contacts/add-contact.ts';
import * as contactsBlock from './methods/contacts/block.ts';
import * as contactsGetContacts from './methods/contacts/get-contacts.ts';
import * as contactsResolveUsername from './methods/contacts/resolve-username.ts';
import * as contactsUnblock from './methods/contacts/unblock.ts';
import * as helpGetSupport from './methods/help/get-support.ts';
import * as messagesAddChatUser from './methods/messages/add-chat-user.ts';
import * as messagesClickSponsoredMessage from './methods/messages/click-sponsored-message.ts';
import * as messagesCreateChat from './methods/messages/create-chat.ts';
import * as messagesCreateForumTopic from './methods/messages/create-forum-topic.ts';
import * as messagesDeleteChatUser from './methods/messages/delete-chat-user.ts';
import * as messagesDeleteMessages from './methods/messages/delete-messages.ts';
import * as messagesEditMessage from './methods/messages/edit-message.ts';
import * as messagesForwardMessages from './methods/messages/forward-messages.ts';
import * as messagesGetDialogs from './methods/messages/get-dialogs.ts';
import * as messagesGetForumTopics from './methods/messages/get-forum-topics.ts';
import * as messagesGetFullChat from './methods/messages/get-full-chat.ts';
import * as messagesGetHistory from './methods/messages/get-history.ts';
import * as messagesGetMessages from './methods/messages/get-messages.ts';
import * as messagesGetMessagesViews from './methods/messages/get-messages-views.ts';
import * as messagesGetPollResults from './methods/messages/get-poll-results.ts';
import * as messagesGetRichMessage from './methods/messages/get-rich-message.ts';
import * as messagesGetSavedDialogs from './methods/messages/get-saved-dialogs.ts';
import * as messagesGetSavedHistory from './methods/messages/get-saved-history.ts';
import * as messagesGetSponsoredMessages from './methods/messages/get-sponsored-messages.ts';
import * as messagesGetUnreadMentions from './methods/messages/get-unread-mentions.ts';
import * as messagesGetUnreadPollVotes from './methods/messages/get-unread-poll-votes.ts';
import * as messagesReadDiscussion from './methods/messages/read-discussion.ts';
import * as messagesReadHistory from './methods/messages/read-history.ts';
import * as messagesReadMentions from './methods/messages/read-mentions.ts';
import * as messagesReadMessageContents from './methods/messages/read-message-contents.ts';
import * as messagesReadPollVotes from './methods/messages/read-poll-votes.ts';
import * as messagesSearch from './methods/messages/search.ts';
import * as messagesSendMedia from './methods/messages/send-media.ts';
import * as messagesSendMessage from './methods/messages/send-message.ts';
import * as messagesSendReaction from './methods/messages/send-reaction.ts';
import * as messagesSendVote from './methods/messages/send-vote.ts';
import * as messagesToggleNoForwards from './methods/messages/toggle-no-forwards.ts';
import * as messagesViewSponsoredMessage from './methods/messages/view-sponsored-message.ts';
import * as paymentsClearSavedInfo from './methods/payments/clear-saved-info.ts';
import * as paymentsGetPaymentForm from './methods/payments/get-payment-form.ts';
import * as paymentsGetPaymentReceipt from './methods/payments/get-payment-receipt.ts';
import * as paymentsGetResaleStarGifts from './methods/payments/get-resale-star-gifts.ts';
import * as paymentsGetSavedInfo from './methods/payments/get-saved-info.ts';
import * as paymentsGetSavedStarGift from './methods/payments/get-saved-star-gift.ts';
import * as paymentsGetSavedStarGifts from './methods/payments/get-saved-star-gifts.ts';
import * as paymentsGetStarsRevenueAdsAccountUrl from './methods/payments/get-stars-revenue-ads-account-url.ts';
import * as paymentsSaveStarGift from './methods/payments/save-star-gift.ts';
import * as paymentsSendPaymentForm from './methods/payments/send-payment-form.ts';
import * as paymentsTransferStarGift from './methods/payments/transfer-star-gift.ts';
import * as paymentsUpdateStarGiftPrice from './methods/payments/update-star-gift-price.ts';
import * as paymentsValidateRequestedInfo from './methods/payments/validate-requested-info.ts';
import * as phoneCreateGroupCall from './methods/phone/create-group-call.ts';
import * as phoneDiscardGroupCall from './methods/phone/discard-group-call.ts';
import * as phoneEditGroupCallParticipant from './methods/phone/edit-group-call-participant.ts';
import * as phoneGetGroupCall from './methods/phone/get-group-call.ts';
import * as phoneGetGroupCallStreamRtmpUrl from './methods/phone/get-group-call-stream-rtmp-url.ts';
import * as phoneGetGroupParticipants from './methods/phone/get-group-participants.ts';
import * as phoneJoinGroupCall from './methods/phone/join-group-call.ts';
import * as phoneLeaveGroupCall from './methods/phone/leave-group-call.ts';
import * as phoneStartScheduledGroupCall from './methods/phone/start-scheduled-group-call.ts';
import * as statsGetMessagePublicForwards from './methods/stats/get-message-public-forwards.ts';
import * as statsGetMessageStats from './methods/stats/get-message-stats.ts';
import * as statsLoadAsyncGraph from './methods/stats/load-async-graph.ts';
import * as storiesGetPeerStories from './methods/stories/get-peer-stories.ts';
import * as storiesStartLive from './methods/stories/start-live.ts';
import * as updatesGetDifference from './methods/updates/get-difference.ts';
import * as updatesGetState from './methods/updates/get-state.ts';
import * as uploadGetFile from './methods/upload/get-file.ts';
import * as uploadSaveFilePart from './methods/upload/save-file-part.ts';
import * as usersGetFullUser from './methods/users/get-full-user.ts';
import * as usersGetUsers from './methods/users/get-users.ts';

/** Every executed method under its name. */
export const methods = {
  'account.createTheme': accountCreateTheme.createTheme,
  'account.deletePasskey': accountDeletePasskey.deletePasskey,
  'account.getPasskeys': accountGetPasskeys.getPasskeys,
  'account.getPrivacy': accountGetPrivacy.getPrivacy,
  'account.getTheme': accountGetTheme.getTheme,
  'account.getThemes': accountGetThemes.getThemes,
  'account.getUniqueGiftChatThemes': accountGetUniqueGiftChatThemes.getUniqueGiftChatThemes,
  'account.initPasskeyRegistration': accountInitPasskeyRegistration.initPasskeyRegistration,
  'account.installTheme': accountInstallTheme.installTheme,
  'account.registerPasskey': accountRegisterPasskey.registerPasskey,
  'account.saveTheme': accountSaveTheme.saveTheme,
  'account.setPrivacy': accountSetPrivacy.setPrivacy,
  'account.updateTheme': accountUpdateTheme.updateTheme,
  'account.uploadTheme': accountUploadTheme.uploadTheme,
  'channels.createChannel': channelsCreateChannel.createChannel,
  'channels.deleteMessages': channelsDeleteMessages.deleteMessages,
  'channels.getMessages': channelsGetMessages.getMessages,
  'channels.joinChannel': channelsJoinChannel.joinChannel,
  'channels.readHistory': channelsReadHistory.readHistory,
  'channels.readMessageContents': channelsReadMessageContents.readMessageContents,
  'channels.toggleForum': channelsToggleForum.toggleForum,
  'channels.updateUsername': channelsUpdateUsername.updateUsername,
  'contacts.addContact': contactsAddContact.addContact,
  'contacts.block': contactsBlock.block,
  'contacts.getContacts': contactsGetContacts.getContacts,
  'contacts.resolveUsername': contactsResolveUsername.resolveUsername,
  'contacts.unblock': contactsUnblock.unblock,
  'help.getSupport': helpGetSupport.getSupport,
  'messages.addChatUser': messagesAddChatUser.addChatUser,
  'messages.clickSponsoredMessage': messagesClickSponsoredMessage.clickSponsoredMessage,
  'messages.createChat': messagesCreateChat.createChat,
  'messages.createForumTopic': messagesCreateForumTopic.createForumTopic,
  'messages.deleteChatUser': messagesDeleteChatUser.deleteChatUser,
  'messages.deleteMessages': messagesDeleteMessages.deleteMessages,
  'messages.editMessage': messagesEditMessage.editMessage,
  'messages.forwardMessages': messagesForwardMessages.forwardMessages,
  'messages.getDialogs': messagesGetDialogs.getDialogs,
  'messages.getForumTopics': messagesGetForumTopics.getForumTopics,
  'messages.getFullChat': messagesGetFullChat.getFullChat,
  'messages.getHistory': messagesGetHistory.getHistory,
  'messages.getMessages': messagesGetMessages.getMessages,
  'messages.getMessagesViews': messagesGetMessagesViews.getMessagesViews,
  'messages.getPollResults': messagesGetPollResults.getPollResults,
  'messages.getRichMessage': messagesGetRichMessage.getRichMessage,
  'messages.getSavedDialogs': messagesGetSavedDialogs.getSavedDialogs,
  'messages.getSavedHistory': messagesGetSavedHistory.getSavedHistory,
  'messages.getSponsoredMessages': messagesGetSponsoredMessages.getSponsoredMessages,
  'messages.getUnreadMentions': messagesGetUnreadMentions.getUnreadMentions,
  'messages.getUnreadPollVotes': messagesGetUnreadPollVotes.getUnreadPollVotes,
  'messages.readDiscussion': messagesReadDiscussion.readDiscussion,
  'messages.readHistory': messagesReadHistory.readHistory,
  'messages.readMentions': messagesReadMentions.readMentions,
  'messages.readMessageContents': messagesReadMessageContents.readMessageContents,
  'messages.readPollVotes': messagesReadPollVotes.readPollVotes,
  'messages.search': messagesSearch.search,
  'messages.sendMedia': messagesSendMedia.sendMedia,
  'messages.sendMessage': messagesSendMessage.sendMessage,
  'messages.sendReaction': messagesSendReaction.sendReaction,
  'messages.sendVote': messagesSendVote.sendVote,
  'messages.toggleNoForwards': messagesToggleNoForwards.toggleNoForwards,
  'messages.viewSponsoredMessage': messagesViewSponsoredMessage.viewSponsoredMessage,
  'payments.clearSavedInfo': paymentsClearSavedInfo.clearSavedInfo,
  'payments.getPaymentForm': paymentsGetPaymentForm.getPaymentForm,
  'payments.getPaymentReceipt': paymentsGetPaymentReceipt.getPaymentReceipt,
  'payments.getResaleStarGifts': paymentsGetResaleStarGifts.getResaleStarGifts,
  'payments.getSavedInfo': paymentsGetSavedInfo.getSavedInfo,
  'payments.getSavedStarGift': paymentsGetSavedStarGift.getSavedStarGift,
  'payments.getSavedStarGifts': paymentsGetSavedStarGifts.getSavedStarGifts,
  'payments.getStarsRevenueAdsAccountUrl': paymentsGetStarsRevenueAdsAccountUrl.getStarsRevenueAdsAccountUrl,
  'payments.saveStarGift': paymentsSaveStarGift.saveStarGift,
  'payments.sendPaymentForm': paymentsSendPaymentForm.sendPaymentForm,
  'payments.transferStarGift': paymentsTransferStarGift.transferStarGift,
  'payments.updateStarGiftPrice': paymentsUpdateStarGiftPrice.updateStarGiftPrice,
  'payments.validateRequestedInfo': paymentsValidateRequestedInfo.validateRequestedInfo,
  'phone.createGroupCall': phoneCreateGroupCall.createGroupCall,
  'phone.discardGroupCall': phoneDiscardGroupCall.discardGroupCall,
  'phone.editGroupCallParticipant': phoneEditGroupCallParticipant.editGroupCallParticipant,
  'phone.getGroupCall': phoneGetGroupCall.getGroupCall,
  'phone.getGroupCallStreamRtmpUrl': phoneGetGroupCallStreamRtmpUrl.getGroupCallStreamRtmpUrl,
  'phone.getGroupParticipants': phoneGetGroupParticipants.getGroupParticipants,
  'phone.joinGroupCall': phoneJoinGroupCall.joinGroupCall,
  'phone.leaveGroupCall': phoneLeaveGroupCall.leaveGroupCall,
  'phone.startScheduledGroupCall': phoneStartScheduledGroupCall.startScheduledGroupCall,
  'stats.getMessagePublicForwards': statsGetMessagePublicForwards.getMessagePublicForwards,
  'stats.getMessageStats': statsGetMessageStats.getMessageStats,
  'stats.loadAsyncGraph': statsLoadAsyncGraph.loadAsyncGraph,
  'stories.getPeerStories': storiesGetPeerStories.getPeerStories,
  'stories.startLive': storiesStartLive.startLive,
  'updates.getDifference': updatesGetDifference.getDifference,
  'updates.getState': updatesGetState.getState,
  'upload.getFile': uploadGetFile.getFile,
  'upload.saveFilePart': uploadSaveFilePart.saveFilePart,
  'users.getFullUser': usersGetFullUser.getFullUser,
  'users.getUsers': usersGetUsers.getUsers,
} satisfies { readonly [Name in MethodName]?: Method<Name> };

export type ExecutedMethod = keyof typeof methods;

/** An example of each. */
export const examples: { readonly [Name in ExecutedMethod]: Example<Name> } = {
  'account.createTheme': accountCreateTheme.example,
  'account.deletePasskey': accountDeletePasskey.example,
  'account.getPasskeys': accountGetPasskeys.example,
  'account.getPrivacy': accountGetPrivacy.example,
  'account.getTheme': accountGetTheme.example,
  'account.getThemes': accountGetThemes.example,
  'account.getUniqueGiftChatThemes': accountGetUniqueGiftChatThemes.example,
  'account.initPasskeyRegistration': accountInitPasskeyRegistration.example,
  'account.installTheme': accountInstallTheme.example,
  'account.registerPasskey': accountRegisterPasskey.example,
  'account.saveTheme': accountSaveTheme.example,
  'account.setPrivacy': accountSetPrivacy.example,
  'account.updateTheme': accountUpdateTheme.example,
  'account.uploadTheme': accountUploadTheme.example,
  'channels.createChannel': channelsCreateChannel.example,
  'channels.deleteMessages': channelsDeleteMessages.example,
  'channels.getMessages': channelsGetMessages.example,
  'channels.joinChannel': channelsJoinChannel.example,
  'channels.readHistory': channelsReadHistory.example,
  'channels.readMessageContents': channelsReadMessageContents.example,
  'channels.toggleForum': channelsToggleForum.example,
  'channels.updateUsername': channelsUpdateUsername.example,
  'contacts.addContact': contactsAddContact.example,
  'contacts.block': contactsBlock.example,
  'contacts.getContacts': contactsGetContacts.example,
  'contacts.resolveUsername': contactsResolveUsername.example,
  'contacts.unblock': contactsUnblock.example,
  'help.getSupport': helpGetSupport.example,
  'messages.addChatUser': messagesAddChatUser.example,
  'messages.clickSponsoredMessage': messagesClickSponsoredMessage.example,
  'messages.createChat': messagesCreateChat.example,
  'messages.createForumTopic': messagesCreateForumTopic.example,
  'messages.deleteChatUser': messagesDeleteChatUser.example,
  'messages.deleteMessages': messagesDeleteMessages.example,
  'messages.editMessage': messagesEditMessage.example,
  'messages.forwardMessages': messagesForwardMessages.example,
  'messages.getDialogs': messagesGetDialogs.example,
  'messages.getForumTopics': messagesGetForumTopics.example,
  'messages.getFullChat': messagesGetFullChat.example,
  'messages.getHistory': messagesGetHistory.example,
  'messages.getMessages': messagesGetMessages.example,
  'messages.getMessagesViews': messagesGetMessagesViews.example,
  'messages.getPollResults': messagesGetPollResults.example,
  'messages.getRichMessage': messagesGetRichMessage.example,
  'messages.getSavedDialogs': messagesGetSavedDialogs.example,
  'messages.getSavedHistory': messagesGetSavedHistory.example,
  'messages.getSponsoredMessages': messagesGetSponsoredMessages.example,
  'messages.getUnreadMentions': messagesGetUnreadMentions.example,
  'messages.getUnreadPollVotes': messagesGetUnreadPollVotes.example,
  'messages.readDiscussion': messagesReadDiscussion.example,
  'messages.readHistory': messagesReadHistory.example,
  'messages.readMentions': messagesReadMentions.example,
  'messages.readMessageContents': messagesReadMessageContents.example,
  'messages.readPollVotes': messagesReadPollVotes.example,
  'messages.search': messagesSearch.example,
  'messages.sendMedia': messagesSendMedia.example,
  'messages.sendMessage': messagesSendMessage.example,
  'messages.sendReaction': messagesSendReaction.example,
  'messages.sendVote': messagesSendVote.example,
  'messages.toggleNoForwards': messagesToggleNoForwards.example,
  'messages.viewSponsoredMessage': messagesViewSponsoredMessage.example,
  'payments.clearSavedInfo': paymentsClearSavedInfo.example,
  'payments.getPaymentForm': paymentsGetPaymentForm.example,
  'payments.getPaymentReceipt': paymentsGetPaymentReceipt.example,
  'payments.getResaleStarGifts': paymentsGetResaleStarGifts.example,
  'payments.getSavedInfo': paymentsGetSavedInfo.example,
  'payments.getSavedStarGift': paymentsGetSavedStarGift.example,
  'payments.getSavedStarGifts': paymentsGetSavedStarGifts.example,
  'payments.getStarsRevenueAdsAccountUrl': paymentsGetStarsRevenueAdsAccountUrl.example,
  'payments.saveStarGift': paymentsSaveStarGift.example,
  'payments.sendPaymentForm': paymentsSendPaymentForm.example,
  'payments.transferStarGift': paymentsTransferStarGift.example,
  'payments.updateStarGiftPrice': paymentsUpdateStarGiftPrice.example,
  'payments.validateRequestedInfo': paymentsValidateRequestedInfo.example,
  'phone.createGroupCall': phoneCreateGroupCall.example,
  'phone.discardGroupCall': phoneDiscardGroupCall.example,
  'phone.editGroupCallParticipant': phoneEditGroupCallParticipant.example,
  'phone.getGroupCall': phoneGetGroupCall.example,
  'phone.getGroupCallStreamRtmpUrl': phoneGetGroupCallStreamRtmpUrl.example,
  'phone.getGroupParticipants': phoneGetGroupParticipants.example,
  'phone.joinGroupCall': phoneJoinGroupCall.example,
  'phone.leaveGroupCall': phoneLeaveGroupCall.example,
  'phone.startScheduledGroupCall': phoneStartScheduledGroupCall.example,
  'stats.getMessagePublicForwards': statsGetMessagePublicForwards.example,
  'stats.getMessageStats': statsGetMessageStats.example,
  'stats.loadAsyncGraph': statsLoadAsyncGraph.example,
  'stories.getPeerStories': storiesGetPeerStories.example,
  'stories.startLive': storiesStartLive.example,
  'updates.getDifference': updatesGetDifference.example,
  'updates.getState': updatesGetState.example,
  'upload.getFile': uploadGetFile.example,
  'upload.saveFilePart': uploadSaveFilePart.example,
  'users.getFullUser': usersGetFullUser.example,
  'users.getUsers': usersGetUsers.example,
};

/** Where the sandbox knowingly differs from Telegram in what one method does. */
export const differences: { readonly [Name in ExecutedMethod]?: string } = {
  'account.createTheme': accountCreateTheme.difference,
  'account.registerPasskey': accountRegisterPasskey.difference,
  'account.updateTheme': accountUpdateTheme.difference,
  'channels.createChannel': channelsCreateChannel.difference,
  'channels.deleteMessages': channelsDeleteMessages.difference,
  'channels.joinChannel': channelsJoinChannel.difference,
  'contacts.addContact': contactsAddContact.difference,
  'contacts.block': contactsBlock.difference,
  'contacts.resolveUsername': contactsResolveUsername.difference,
  'help.getSupport': helpGetSupport.difference,
  'messages.addChatUser': messagesAddChatUser.difference,
  'messages.deleteMessages': messagesDeleteMessages.difference,
  'messages.forwardMessages': messagesForwardMessages.difference,
  'messages.getDialogs': messagesGetDialogs.difference,
  'messages.getForumTopics': messagesGetForumTopics.difference,
  'messages.getRichMessage': messagesGetRichMessage.difference,
  'messages.getSavedHistory': messagesGetSavedHistory.difference,
  'messages.getSponsoredMessages': messagesGetSponsoredMessages.difference,
  'messages.getUnreadMentions': messagesGetUnreadMentions.difference,
  'messages.getUnreadPollVotes': messagesGetUnreadPollVotes.difference,
  'messages.search': messagesSearch.difference,
  'messages.sendMedia': messagesSendMedia.difference,
  'messages.sendReaction': messagesSendReaction.difference,
  'payments.getPaymentForm': paymentsGetPaymentForm.difference,
  'payments.getResaleStarGifts': paymentsGetResaleStarGifts.difference,
  'payments.getSavedStarGifts': paymentsGetSavedStarGifts.difference,
  'payments.getStarsRevenueAdsAccountUrl': paymentsGetStarsRevenueAdsAccountUrl.difference,
  'payments.sendPaymentForm': paymentsSendPaymentForm.difference,
  'phone.getGroupCallStreamRtmpUrl': phoneGetGroupCallStreamRtmpUrl.difference,
  'phone.joinGroupCall': phoneJoinGroupCall.difference,
  'stats.getMessageStats': statsGetMessageStats.difference,
  'stories.startLive': storiesStartLive.difference,
  'updates.getDifference': updatesGetDifference.difference,
  'updates.getState': updatesGetState.difference,
  'upload.getFile': uploadGetFile.difference,
  'upload.saveFilePart': uploadSaveFilePart.difference,
};
