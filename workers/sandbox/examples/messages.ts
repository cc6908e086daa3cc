import { findSponsored } from '../model/sponsored/sponsored.ts';
import { SEEDED_OPTIONS } from '../seed/forum.ts';
import { type Examples, type Exemplar, ID_WINDOW, SELF, WINDOW } from './example.ts';
import { inputUser, peerChannel, peerUser } from './input-peers.ts';
import { inputFile } from './upload.ts';

/** Examples of messages and of the groups and channels they are in. */
export const messageExamples: Examples = {
  'messages.sendMessage': async (exemplar) => ({
    peer: await peerUser(exemplar, 'contactId'),
    message: 'Hello!',
  }),
  'messages.sendMedia': async (exemplar) => ({
    peer: await peerUser(exemplar, 'contactId'),
    media: {
      _: 'inputMediaUploadedDocument',
      file: inputFile(exemplar, 'hello.txt'),
      mimeType: 'text/plain',
      attributes: [],
    },
    message: 'A file',
  }),
  'messages.editMessage': () => ({ peer: SELF, id: 1, message: 'Welcome again' }),
  'messages.deleteMessages': () => ({ id: [1] }),
  'messages.forwardMessages': async (exemplar) => ({
    fromPeer: SELF,
    id: [1],
    toPeer: await peerUser(exemplar, 'contactId'),
  }),
  'messages.search': () => ({
    peer: SELF,
    q: 'welcome',
    filter: { _: 'inputMessagesFilterEmpty' },
    minDate: 0,
    maxDate: 0,
    ...ID_WINDOW,
    hash: '0',
  }),
  'messages.createForumTopic': async (exemplar) => ({
    peer: await peerChannel(exemplar, 'forumId'),
    title: 'News',
  }),
  'messages.getForumTopics': async (exemplar) => ({
    peer: await peerChannel(exemplar, 'forumId'),
    offsetDate: 0,
    offsetId: 0,
    offsetTopic: 0,
    limit: 20,
  }),
  'messages.readDiscussion': async (exemplar) => ({
    ...(await thePoll(exemplar)),
    readMaxId: 1,
  }),
  'messages.getHistory': () => ({ peer: SELF, ...WINDOW }),
  'messages.getMessages': () => ({ id: [{ _: 'inputMessageID', id: 1 }] }),
  'messages.getRichMessage': () => ({ peer: SELF, id: 1 }),
  'messages.getDialogs': () => ({
    offsetDate: 0,
    offsetId: 0,
    offsetPeer: { _: 'inputPeerEmpty' },
    limit: 20,
    hash: '0',
  }),
  'messages.getSavedDialogs': () => ({
    offsetDate: 0,
    offsetId: 0,
    offsetPeer: { _: 'inputPeerEmpty' },
    limit: 20,
    hash: '0',
  }),
  'messages.getSavedHistory': () => ({ peer: SELF, ...WINDOW }),
  'messages.getUnreadMentions': ({ ids }) => ({ peer: aGroup(ids.chatId), ...ID_WINDOW }),
  'messages.readMentions': ({ ids }) => ({ peer: aGroup(ids.chatId) }),
  'messages.readHistory': async (exemplar) => ({ peer: await peerUser(exemplar, 'contactId'), maxId: 0 }),
  'messages.readMessageContents': () => ({ id: [1] }),
  'messages.getMessagesViews': async (exemplar) => ({
    peer: await peerChannel(exemplar, 'channelId'),
    id: [1],
    increment: true,
  }),
  'messages.sendReaction': async (exemplar) => ({
    peer: await peerChannel(exemplar, 'channelId'),
    msgId: 1,
    reaction: [{ _: 'reactionEmoji', emoticon: '👍' }],
  }),
  'messages.sendVote': async (exemplar) => ({
    ...(await thePoll(exemplar)),
    options: [SEEDED_OPTIONS[0] ?? ''],
  }),
  'messages.getPollResults': async (exemplar) => ({ ...(await thePoll(exemplar)), pollHash: '0' }),
  'messages.getUnreadPollVotes': async (exemplar) => ({
    peer: await peerChannel(exemplar, 'forumId'),
    ...ID_WINDOW,
  }),
  'messages.readPollVotes': async (exemplar) => ({ peer: await peerChannel(exemplar, 'forumId') }),
  'messages.createChat': async (exemplar) => ({
    users: [await inputUser(exemplar, 'contactId')],
    title: 'New group',
  }),
  'messages.addChatUser': async (exemplar) => ({
    chatId: exemplar.ids.chatId,
    userId: await inputUser(exemplar, 'contactId'),
    fwdLimit: 10,
  }),
  'messages.deleteChatUser': async (exemplar) => ({
    chatId: exemplar.ids.chatId,
    userId: await inputUser(exemplar, 'friendId'),
  }),
  'messages.getFullChat': ({ ids }) => ({ chatId: ids.chatId }),
  'messages.toggleNoForwards': async (exemplar) => ({
    peer: await peerChannel(exemplar, 'channelId'),
    enabled: true,
  }),
  'messages.getSponsoredMessages': async (exemplar) => ({ peer: await peerChannel(exemplar, 'channelId') }),
  'messages.viewSponsoredMessage': sponsoredMessage,
  'messages.clickSponsoredMessage': sponsoredMessage,
};

function aGroup(chatId: number) {
  return { _: 'inputPeerChat', chatId } as const;
}

async function thePoll(exemplar: Exemplar) {
  return { peer: await peerChannel(exemplar, 'forumId'), msgId: 1 };
}

async function sponsoredMessage({ call, ids }: Exemplar): Promise<{ randomId: string } | null> {
  const { messages } = await findSponsored(call, `c${ids.channelId}`);
  return messages[0] ? { randomId: messages[0].randomId } : null;
}
