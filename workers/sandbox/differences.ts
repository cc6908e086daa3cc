import type { ExecutedMethod } from './methods.ts';

/** Where the sandbox knowingly differs from Telegram whatever the method. */
export const generalDifferences: readonly string[] = [
  'Nobody is asked to wait (`FLOOD_WAIT_n`) unless a fault says so.',
  'Any `accessHash` is accepted, `inputPeerEmpty`, `inputUserEmpty` and `inputChannelEmpty` stand for seeded things, and 1 is the id of the seeded basic group and of its ended call; an account made with `"strictPeers": true` is refused all of this as Telegram does.',
  'Users, groups and channels belong to one workspace; nobody else is there.',
  'Basic groups and channels have at most 90 members.',
  'A `limit` of a method is 0 for no items, at most 100, and `LIMIT_INVALID` below 0; a page of messages ends at 4 MiB.',
  'Nothing is scheduled but group calls: a `scheduleDate` is refused.',
  'A call changes what fits one commit (500 writes, 1 MiB); it says what it left, or refuses what cannot be done in parts.',
];

/** Where the sandbox knowingly differs from Telegram in what one method does. */
export const differences: { readonly [Name in ExecutedMethod]?: string } = {
  'account.createTheme': 'A theme without file and settings looks like the classic one.',
  'account.registerPasskey':
    'Any well-formed credential is taken until the account first calls `account.initPasskeyRegistration`.',
  'account.updateTheme': 'At most 200 of those who have the theme hear of it.',
  'channels.createChannel':
    'There are no channels at a place and none that delete their messages by themselves.',
  'channels.deleteMessages': 'At most 100 messages at once, as many as fit one commit.',
  'channels.joinChannel': 'An account is in at most 500 channels, and no request has to be approved.',
  'contacts.addContact': 'An account has at most 5,000 contacts.',
  'contacts.block': 'Stories have no list of blocked users of their own.',
  'contacts.resolveUsername': 'There are no referral programs: every `referer` is `STARREF_EXPIRED`.',
  'help.getSupport': 'The support user answers nobody.',
  'messages.addChatUser': 'The result carries `updatesTooLong`; the updates are on the stream.',
  'messages.deleteMessages': 'At most 100 messages at once, as many as fit one commit.',
  'messages.forwardMessages':
    'Answers `updatesTooLong`; the new messages are on the stream. At most 100 messages, as many as fit one commit.',
  'messages.getDialogs': 'Nothing is pinned, and nothing is in the archive.',
  'messages.getForumTopics': 'Titles are searched among the 1,000 topics that were written to last.',
  'messages.getRichMessage': 'Answers `messages.messages` always; an id that is absent is a `messageEmpty`.',
  'messages.getSavedHistory': 'Answers `messages.messages` always, never a slice.',
  'messages.getSponsoredMessages': 'Messages are what the management API set; nothing is bought.',
  'messages.getUnreadMentions': 'Answers `messages.messages` always, never a slice.',
  'messages.getUnreadPollVotes': 'Answers `messages.messages` always, never a slice.',
  'messages.search':
    'The 2,000 newest messages of a conversation are searched, 2 MiB of them at most; messages are not tagged.',
  'messages.sendMedia':
    'Uploaded documents, documents, polls and invoices can be sent; there are no photos of their own kind.',
  'messages.sendReaction': 'Every account is one without Premium: one reaction a message, no custom emoji.',
  'payments.getPaymentForm': 'The form of an invoice in a message; nothing is paid with Stars.',
  'payments.getResaleStarGifts': 'Gifts are of a small, fixed catalogue.',
  'payments.getSavedStarGifts': 'Gifts are in no collections: `COLLECTION_ID_INVALID`.',
  'payments.getStarsRevenueAdsAccountUrl': 'The address exists nowhere.',
  'payments.sendPaymentForm': 'No money moves: the provider accepts every card and asks nothing more.',
  'phone.getGroupCallStreamRtmpUrl': 'The host never resolves, and a stream goes nowhere.',
  'phone.joinGroupCall': 'There is no media server: the answer has no candidates to connect to.',
  'stats.getMessageStats': 'Views and reactions are counted from calls, by day, at most a year of them.',
  'stories.startLive':
    'Answers `updatesTooLong`. A story that goes on ends, and at most 200 users hear of it.',
  'updates.getDifference': 'Looks back 2,000 changes, or 4 MiB; farther is `updates.differenceTooLong`.',
  'updates.getState': 'Unread messages are counted in the 1,000 latest conversations.',
  'upload.getFile': 'Documents only; there are no thumbnails.',
  'upload.saveFilePart': 'Parts that no message refers to are kept for a day.',
};
