import type { Method } from '../driver.ts';
import { createTheme } from './methods/account/create-theme.ts';
import { deletePasskey } from './methods/account/delete-passkey.ts';
import { getPasskeys } from './methods/account/get-passkeys.ts';
import { getPrivacy } from './methods/account/get-privacy.ts';
import { getTheme } from './methods/account/get-theme.ts';
import { getThemes } from './methods/account/get-themes.ts';
import { getUniqueGiftChatThemes } from './methods/account/get-unique-gift-chat-themes.ts';
import { initPasskeyRegistration } from './methods/account/init-passkey-registration.ts';
import { installTheme } from './methods/account/install-theme.ts';
import { registerPasskey } from './methods/account/register-passkey.ts';
import { saveTheme } from './methods/account/save-theme.ts';
import { setPrivacy } from './methods/account/set-privacy.ts';
import { updateTheme } from './methods/account/update-theme.ts';
import { uploadTheme } from './methods/account/upload-theme.ts';
import { createChannel } from './methods/channels/create-channel.ts';
import { deleteMessages as channelsDeleteMessages } from './methods/channels/delete-messages.ts';
import { getMessages as channelsGetMessages } from './methods/channels/get-messages.ts';
import { joinChannel } from './methods/channels/join-channel.ts';
import { readHistory as channelsReadHistory } from './methods/channels/read-history.ts';
import { readMessageContents as channelsReadMessageContents } from './methods/channels/read-message-contents.ts';
import { toggleForum } from './methods/channels/toggle-forum.ts';
import { updateUsername } from './methods/channels/update-username.ts';
import { addContact } from './methods/contacts/add-contact.ts';
import { block } from './methods/contacts/block.ts';
import { getContacts } from './methods/contacts/get-contacts.ts';
import { resolveUsername } from './methods/contacts/resolve-username.ts';
import { unblock } from './methods/contacts/unblock.ts';
import { getSupport } from './methods/help/get-support.ts';
import { addChatUser } from './methods/messages/add-chat-user.ts';
import { clickSponsoredMessage } from './methods/messages/click-sponsored-message.ts';
import { createChat } from './methods/messages/create-chat.ts';
import { createForumTopic } from './methods/messages/create-forum-topic.ts';
import { deleteChatUser } from './methods/messages/delete-chat-user.ts';
import { deleteMessages } from './methods/messages/delete-messages.ts';
import { editMessage } from './methods/messages/edit-message.ts';
import { forwardMessages } from './methods/messages/forward-messages.ts';
import { getDialogs } from './methods/messages/get-dialogs.ts';
import { getForumTopics } from './methods/messages/get-forum-topics.ts';
import { getFullChat } from './methods/messages/get-full-chat.ts';
import { getHistory } from './methods/messages/get-history.ts';
import { getMessages } from './methods/messages/get-messages.ts';
import { getMessagesViews } from './methods/messages/get-messages-views.ts';
import { getPollResults } from './methods/messages/get-poll-results.ts';
import { getRichMessage } from './methods/messages/get-rich-message.ts';
import { getSavedDialogs } from './methods/messages/get-saved-dialogs.ts';
import { getSavedHistory } from './methods/messages/get-saved-history.ts';
import { getSponsoredMessages } from './methods/messages/get-sponsored-messages.ts';
import { getUnreadMentions } from './methods/messages/get-unread-mentions.ts';
import { getUnreadPollVotes } from './methods/messages/get-unread-poll-votes.ts';
import { readDiscussion } from './methods/messages/read-discussion.ts';
import { readHistory } from './methods/messages/read-history.ts';
import { readMentions } from './methods/messages/read-mentions.ts';
import { readMessageContents } from './methods/messages/read-message-contents.ts';
import { readPollVotes } from './methods/messages/read-poll-votes.ts';
import { search } from './methods/messages/search.ts';
import { sendMedia } from './methods/messages/send-media.ts';
import { sendMessage } from './methods/messages/send-message.ts';
import { sendReaction } from './methods/messages/send-reaction.ts';
import { sendVote } from './methods/messages/send-vote.ts';
import { toggleNoForwards } from './methods/messages/toggle-no-forwards.ts';
import { viewSponsoredMessage } from './methods/messages/view-sponsored-message.ts';
import { clearSavedInfo } from './methods/payments/clear-saved-info.ts';
import { getPaymentForm } from './methods/payments/get-payment-form.ts';
import { getPaymentReceipt } from './methods/payments/get-payment-receipt.ts';
import { getResaleStarGifts } from './methods/payments/get-resale-star-gifts.ts';
import { getSavedInfo } from './methods/payments/get-saved-info.ts';
import { getSavedStarGift } from './methods/payments/get-saved-star-gift.ts';
import { getSavedStarGifts } from './methods/payments/get-saved-star-gifts.ts';
import { getStarsRevenueAdsAccountUrl } from './methods/payments/get-stars-revenue-ads-account-url.ts';
import { saveStarGift } from './methods/payments/save-star-gift.ts';
import { sendPaymentForm } from './methods/payments/send-payment-form.ts';
import { transferStarGift } from './methods/payments/transfer-star-gift.ts';
import { updateStarGiftPrice } from './methods/payments/update-star-gift-price.ts';
import { validateRequestedInfo } from './methods/payments/validate-requested-info.ts';
import { createGroupCall } from './methods/phone/create-group-call.ts';
import { discardGroupCall } from './methods/phone/discard-group-call.ts';
import { editGroupCallParticipant } from './methods/phone/edit-group-call-participant.ts';
import { getGroupCall } from './methods/phone/get-group-call.ts';
import { getGroupCallStreamRtmpUrl } from './methods/phone/get-group-call-stream-rtmp-url.ts';
import { getGroupParticipants } from './methods/phone/get-group-participants.ts';
import { joinGroupCall } from './methods/phone/join-group-call.ts';
import { leaveGroupCall } from './methods/phone/leave-group-call.ts';
import { startScheduledGroupCall } from './methods/phone/start-scheduled-group-call.ts';
import { getMessagePublicForwards } from './methods/stats/get-message-public-forwards.ts';
import { getMessageStats } from './methods/stats/get-message-stats.ts';
import { loadAsyncGraph } from './methods/stats/load-async-graph.ts';
import { getPeerStories } from './methods/stories/get-peer-stories.ts';
import { startLive } from './methods/stories/start-live.ts';
import { getDifference } from './methods/updates/get-difference.ts';
import { getState } from './methods/updates/get-state.ts';
import { getFile } from './methods/upload/get-file.ts';
import { saveFilePart } from './methods/upload/save-file-part.ts';
import { getFullUser } from './methods/users/get-full-user.ts';
import { getUsers } from './methods/users/get-users.ts';

/** The methods the sandbox executes. */
export type ExecutedMethod =
  | 'account.createTheme'
  | 'account.deletePasskey'
  | 'account.getPasskeys'
  | 'account.getPrivacy'
  | 'account.getTheme'
  | 'account.getThemes'
  | 'account.getUniqueGiftChatThemes'
  | 'account.initPasskeyRegistration'
  | 'account.installTheme'
  | 'account.registerPasskey'
  | 'account.saveTheme'
  | 'account.setPrivacy'
  | 'account.updateTheme'
  | 'account.uploadTheme'
  | 'channels.createChannel'
  | 'channels.deleteMessages'
  | 'channels.getMessages'
  | 'channels.joinChannel'
  | 'channels.readHistory'
  | 'channels.readMessageContents'
  | 'channels.toggleForum'
  | 'channels.updateUsername'
  | 'contacts.addContact'
  | 'contacts.block'
  | 'contacts.getContacts'
  | 'contacts.resolveUsername'
  | 'contacts.unblock'
  | 'help.getSupport'
  | 'messages.addChatUser'
  | 'messages.clickSponsoredMessage'
  | 'messages.createChat'
  | 'messages.createForumTopic'
  | 'messages.deleteChatUser'
  | 'messages.deleteMessages'
  | 'messages.editMessage'
  | 'messages.forwardMessages'
  | 'messages.getDialogs'
  | 'messages.getForumTopics'
  | 'messages.getFullChat'
  | 'messages.getHistory'
  | 'messages.getMessages'
  | 'messages.getMessagesViews'
  | 'messages.getPollResults'
  | 'messages.getRichMessage'
  | 'messages.getSavedDialogs'
  | 'messages.getSavedHistory'
  | 'messages.getSponsoredMessages'
  | 'messages.getUnreadMentions'
  | 'messages.getUnreadPollVotes'
  | 'messages.readDiscussion'
  | 'messages.readHistory'
  | 'messages.readMentions'
  | 'messages.readMessageContents'
  | 'messages.readPollVotes'
  | 'messages.search'
  | 'messages.sendMedia'
  | 'messages.sendMessage'
  | 'messages.sendReaction'
  | 'messages.sendVote'
  | 'messages.toggleNoForwards'
  | 'messages.viewSponsoredMessage'
  | 'payments.clearSavedInfo'
  | 'payments.getPaymentForm'
  | 'payments.getPaymentReceipt'
  | 'payments.getResaleStarGifts'
  | 'payments.getSavedInfo'
  | 'payments.getSavedStarGift'
  | 'payments.getSavedStarGifts'
  | 'payments.getStarsRevenueAdsAccountUrl'
  | 'payments.saveStarGift'
  | 'payments.sendPaymentForm'
  | 'payments.transferStarGift'
  | 'payments.updateStarGiftPrice'
  | 'payments.validateRequestedInfo'
  | 'phone.createGroupCall'
  | 'phone.discardGroupCall'
  | 'phone.editGroupCallParticipant'
  | 'phone.getGroupCall'
  | 'phone.getGroupCallStreamRtmpUrl'
  | 'phone.getGroupParticipants'
  | 'phone.joinGroupCall'
  | 'phone.leaveGroupCall'
  | 'phone.startScheduledGroupCall'
  | 'stats.getMessagePublicForwards'
  | 'stats.getMessageStats'
  | 'stats.loadAsyncGraph'
  | 'stories.getPeerStories'
  | 'stories.startLive'
  | 'updates.getDifference'
  | 'updates.getState'
  | 'upload.getFile'
  | 'upload.saveFilePart'
  | 'users.getFullUser'
  | 'users.getUsers';

/** Every executed method under its name: one that is missing or returns another shape does not compile. */
export const methods: { readonly [Name in ExecutedMethod]: Method<Name> } = {
  'account.createTheme': createTheme,
  'account.deletePasskey': deletePasskey,
  'account.getPasskeys': getPasskeys,
  'account.getPrivacy': getPrivacy,
  'account.getTheme': getTheme,
  'account.getThemes': getThemes,
  'account.getUniqueGiftChatThemes': getUniqueGiftChatThemes,
  'account.initPasskeyRegistration': initPasskeyRegistration,
  'account.installTheme': installTheme,
  'account.registerPasskey': registerPasskey,
  'account.saveTheme': saveTheme,
  'account.setPrivacy': setPrivacy,
  'account.updateTheme': updateTheme,
  'account.uploadTheme': uploadTheme,
  'channels.createChannel': createChannel,
  'channels.deleteMessages': channelsDeleteMessages,
  'channels.getMessages': channelsGetMessages,
  'channels.joinChannel': joinChannel,
  'channels.readHistory': channelsReadHistory,
  'channels.readMessageContents': channelsReadMessageContents,
  'channels.toggleForum': toggleForum,
  'channels.updateUsername': updateUsername,
  'contacts.addContact': addContact,
  'contacts.block': block,
  'contacts.getContacts': getContacts,
  'contacts.resolveUsername': resolveUsername,
  'contacts.unblock': unblock,
  'help.getSupport': getSupport,
  'messages.addChatUser': addChatUser,
  'messages.clickSponsoredMessage': clickSponsoredMessage,
  'messages.createChat': createChat,
  'messages.createForumTopic': createForumTopic,
  'messages.deleteChatUser': deleteChatUser,
  'messages.deleteMessages': deleteMessages,
  'messages.editMessage': editMessage,
  'messages.forwardMessages': forwardMessages,
  'messages.getDialogs': getDialogs,
  'messages.getForumTopics': getForumTopics,
  'messages.getFullChat': getFullChat,
  'messages.getHistory': getHistory,
  'messages.getMessages': getMessages,
  'messages.getMessagesViews': getMessagesViews,
  'messages.getPollResults': getPollResults,
  'messages.getRichMessage': getRichMessage,
  'messages.getSavedDialogs': getSavedDialogs,
  'messages.getSavedHistory': getSavedHistory,
  'messages.getSponsoredMessages': getSponsoredMessages,
  'messages.getUnreadMentions': getUnreadMentions,
  'messages.getUnreadPollVotes': getUnreadPollVotes,
  'messages.readDiscussion': readDiscussion,
  'messages.readHistory': readHistory,
  'messages.readMentions': readMentions,
  'messages.readMessageContents': readMessageContents,
  'messages.readPollVotes': readPollVotes,
  'messages.search': search,
  'messages.sendMedia': sendMedia,
  'messages.sendMessage': sendMessage,
  'messages.sendReaction': sendReaction,
  'messages.sendVote': sendVote,
  'messages.toggleNoForwards': toggleNoForwards,
  'messages.viewSponsoredMessage': viewSponsoredMessage,
  'payments.clearSavedInfo': clearSavedInfo,
  'payments.getPaymentForm': getPaymentForm,
  'payments.getPaymentReceipt': getPaymentReceipt,
  'payments.getResaleStarGifts': getResaleStarGifts,
  'payments.getSavedInfo': getSavedInfo,
  'payments.getSavedStarGift': getSavedStarGift,
  'payments.getSavedStarGifts': getSavedStarGifts,
  'payments.getStarsRevenueAdsAccountUrl': getStarsRevenueAdsAccountUrl,
  'payments.saveStarGift': saveStarGift,
  'payments.sendPaymentForm': sendPaymentForm,
  'payments.transferStarGift': transferStarGift,
  'payments.updateStarGiftPrice': updateStarGiftPrice,
  'payments.validateRequestedInfo': validateRequestedInfo,
  'phone.createGroupCall': createGroupCall,
  'phone.discardGroupCall': discardGroupCall,
  'phone.editGroupCallParticipant': editGroupCallParticipant,
  'phone.getGroupCall': getGroupCall,
  'phone.getGroupCallStreamRtmpUrl': getGroupCallStreamRtmpUrl,
  'phone.getGroupParticipants': getGroupParticipants,
  'phone.joinGroupCall': joinGroupCall,
  'phone.leaveGroupCall': leaveGroupCall,
  'phone.startScheduledGroupCall': startScheduledGroupCall,
  'stats.getMessagePublicForwards': getMessagePublicForwards,
  'stats.getMessageStats': getMessageStats,
  'stats.loadAsyncGraph': loadAsyncGraph,
  'stories.getPeerStories': getPeerStories,
  'stories.startLive': startLive,
  'updates.getDifference': getDifference,
  'updates.getState': getState,
  'upload.getFile': getFile,
  'upload.saveFilePart': saveFilePart,
  'users.getFullUser': getFullUser,
  'users.getUsers': getUsers,
};
