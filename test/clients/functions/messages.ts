import { InputMedia, Long, type Message } from '@mtcute/core';
import * as m from '@mtcute/core/methods.js';
import { expect } from 'vitest';
import { all, FILE, type Use, type World } from '../../support/clients/world.ts';

const document = () => InputMedia.document(FILE, { fileName: 'notes.txt', fileMime: 'text/plain' });
const poll = () => InputMedia.poll({ question: 'Tea?', answers: ['Yes', 'No'] });
const idOf = (message: Message) => ({ chatId: message.chat.inputPeer, message: message.id });
const aPoll = (w: World) => m.sendMedia(w.ada, w.toBob, poll());
const aList = (w: World) =>
  m.sendMedia(w.ada, w.toBob, InputMedia.todo({ title: 'To buy', items: ['Tea'] } as never));
const soon = () => new Date(Date.now() + 3_600_000);
const quote = { start: 0, end: 5 };

const isDocument = (sent: Message) => expect(sent.media?.type).toBe('document');

/** The first of an album of two. */
function isAlbum(sent: Message[]): Message {
  expect(sent).toHaveLength(2);
  expect(sent[0]?.groupedIdUnique).toBe(sent[1]?.groupedIdUnique);
  return sent[0] as Message;
}

async function answers(w: World, answer: (heard: Message) => Promise<Message>): Promise<void> {
  const heard = await w.heard();
  expect((await answer(heard)).replyToMessage?.id).toBe(heard.id);
}

async function quotes(w: World, answer: (heard: Message) => Promise<Message>): Promise<void> {
  const heard = await w.heard('Hello you');
  expect((await answer(heard)).replyToMessage).toMatchObject({ id: heard.id, quoteText: 'Hello' });
}

async function comments(w: World, comment: (post: Message) => Promise<Message>): Promise<void> {
  const post = await w.text(await w.supergroup());
  expect((await comment(post)).replyToMessage?.id).toBe(post.id);
}

/** A message that Ada has scheduled for Bob. */
const scheduled = (w: World) => m.sendText(w.ada, w.toBob, 'Later', { schedule: soon() });

/** Ada's reaction to a new message of Bob's. */
async function aReaction(w: World): Promise<Message> {
  const heard = await w.heard();
  await m.sendReaction(w.ada, { ...idOf(heard), emoji: '👍' });
  return heard;
}

/** What is pinned in Ada's chat with Bob. */
const pinnedId = async (w: World) => (await m.getFullUser(w.ada, w.toBob)).full.pinnedMsgId;

export const messages: Record<string, Use> = {
  answerText: async (w) => expect((await m.answerText(w.ada, await w.heard(), 'Yes')).text).toBe('Yes'),
  answerMedia: async (w) => isDocument(await m.answerMedia(w.ada, await w.heard(), document())),
  answerMediaGroup: async (w) =>
    isAlbum(await m.answerMediaGroup(w.ada, await w.heard(), [document(), document()])),
  replyText: (w) => answers(w, (heard) => m.replyText(w.ada, heard, 'Yes')),
  replyMedia: (w) => answers(w, (heard) => m.replyMedia(w.ada, heard, document())),
  replyMediaGroup: (w) =>
    answers(w, async (heard) => isAlbum(await m.replyMediaGroup(w.ada, heard, [document(), document()]))),
  quoteWithText: (w) => quotes(w, (heard) => m.quoteWithText(w.ada, heard, { ...quote, text: 'Yes' })),
  quoteWithMedia: (w) =>
    quotes(w, (heard) => m.quoteWithMedia(w.ada, heard, { ...quote, media: document() })),
  quoteWithMediaGroup: (w) => {
    const medias = [document(), document()];
    return quotes(w, async (heard) =>
      isAlbum(await m.quoteWithMediaGroup(w.ada, heard, { ...quote, medias })),
    );
  },
  commentText: (w) => comments(w, (post) => m.commentText(w.ada, post, 'Yes')),
  commentMedia: (w) => comments(w, (post) => m.commentMedia(w.ada, post, document())),
  commentMediaGroup: (w) =>
    comments(w, async (post) => isAlbum(await m.commentMediaGroup(w.ada, post, [document(), document()]))),
  appendTodoList: async (w) => m.appendTodoList(w.ada, { ...idOf(await aList(w)), items: 'Milk' }),
  closePoll: async (w) => expect((await m.closePoll(w.ada, idOf(await aPoll(w)))).isClosed).toBe(true),
  createStreamingDraft: async (w) => {
    const draft = await m.createStreamingDraft(w.bot, w.ada.account.userId);
    const [heard] = await w.hears(w.ada, 'UserTyping', () => draft.send('Draft'));
    expect(heard).toMatchObject({ userId: w.toBot.id, action: { text: { text: 'Draft' } } });
  },
  createRichStreamingDraft: async (w) => {
    const draft = await m.createRichStreamingDraft(w.bot, w.ada.account.userId);
    const content = { type: 'markdown', content: 'Draft' } as never;
    const [heard] = await w.hears(w.ada, 'UserTyping', () => draft.send(content));
    expect(heard).toMatchObject({ action: { richMessage: { blocks: [{ _: 'pageBlockParagraph' }] } } });
  },
  deleteMessagesById: async (w) => {
    const { id } = await w.text();
    await m.deleteMessagesById(w.ada, w.toBob, [id]);
    expect(await m.getMessages(w.ada, w.toBob, id)).toEqual([null]);
  },
  deleteMessages: async (w) => {
    const sent = await w.text();
    await m.deleteMessages(w.ada, [sent]);
    expect(await m.getMessages(w.ada, w.toBob, sent.id)).toEqual([null]);
  },
  deleteScheduledMessages: async (w) => {
    const { id } = await scheduled(w);
    await m.deleteScheduledMessages(w.ada, w.toBob, [id]);
    expect(await m.getScheduledMessages(w.ada, w.toBob, id)).toEqual([null]);
  },
  editInlineMessage: (w) =>
    m.editInlineMessage(w.bot, {
      messageId: { _: 'inputBotInlineMessageID', dcId: 1, id: Long.ONE, accessHash: Long.ONE },
      text: 'New',
    }),
  editMessage: async (w) => {
    const edited = await m.editMessage(w.ada, { ...idOf(await w.text()), text: 'New' });
    expect(edited.text).toBe('New');
  },
  forwardMessagesById: async (w) =>
    m.forwardMessagesById(w.ada, { fromChatId: w.toBob, messages: [(await w.text()).id], toChatId: 'me' }),
  forwardMessages: async (w) => m.forwardMessages(w.ada, { messages: [await w.text()], toChatId: 'me' }),
  getAllScheduledMessages: async (w) => {
    const { id } = await scheduled(w);
    expect((await m.getAllScheduledMessages(w.ada, w.toBob)).map((one) => one.id)).toContain(id);
  },
  getAvailableMessageEffects: (w) => m.getAvailableMessageEffects(w.ada),
  getCallbackQueryMessage: async (w) => {
    const { id } = await m.sendText(w.bot, w.ada.account.userId, 'Choose');
    const query = { messageId: id, queryId: Long.ONE, peer: w.ada.account.userId };
    expect((await m.getCallbackQueryMessage(w.bot, query))?.text).toBe('Choose');
  },
  getDiscussionMessage: async (w) => {
    const post = await w.text(await w.supergroup());
    expect((await m.getDiscussionMessage(w.ada, idOf(post)))?.id).toBe(post.id);
  },
  getFactCheck: async (w) => {
    const chat = await w.channel();
    return m.getFactCheck(w.ada, chat, (await w.text(chat)).id);
  },
  getHistory: async (w) => {
    const { id } = await w.text();
    const [newest] = await m.getHistory(w.ada, w.toBob);
    expect(newest).toMatchObject({ id, text: 'Hello' });
  },
  getMessageByLink: async (w) => {
    const sent = await w.text(await w.supergroup());
    expect((await m.getMessageByLink(w.ada, sent.link))?.id).toBe(sent.id);
  },
  getMessageGroup: async (w) => {
    const [first] = await m.sendMediaGroup(w.ada, w.toBob, [document(), document()]);
    isAlbum(await m.getMessageGroup(w.ada, idOf(first as Message)));
  },
  getMessageReactionsById: async (w) => {
    const [found] = await m.getMessageReactionsById(w.ada, w.toBob, [(await aReaction(w)).id]);
    expect(found?.reactions).toMatchObject([{ emoji: '👍', count: 1 }]);
  },
  getMessageReactions: async (w) => {
    const [found] = await m.getMessageReactions(w.ada, [await aReaction(w)]);
    expect(found?.reactions).toMatchObject([{ emoji: '👍', count: 1 }]);
  },
  getMessagesUnsafe: async (w) => {
    const { id } = await w.text();
    expect(await m.getMessagesUnsafe(w.ada, id)).toMatchObject([{ id, text: 'Hello' }]);
  },
  getMessages: async (w) => {
    const { id } = await w.text();
    expect(await m.getMessages(w.ada, w.toBob, [id, 2 ** 30])).toMatchObject([{ id }, null]);
  },
  getReactionUsers: async (w) => {
    const users = await m.getReactionUsers(w.ada, idOf(await aReaction(w)));
    expect(users.map(({ emoji }) => emoji)).toEqual(['👍']);
  },
  getReplyTo: async (w) => {
    const heard = await w.heard();
    const found = await m.getReplyTo(w.ada, await m.replyText(w.ada, heard, 'Yes'));
    expect(found?.id).toBe(heard.id);
  },
  getScheduledMessages: async (w) => {
    const { id } = await scheduled(w);
    expect(await m.getScheduledMessages(w.ada, w.toBob, id)).toMatchObject([{ id, text: 'Later' }]);
  },
  getWebPagePreview: (w) => m.getWebPagePreview(w.ada, 'https://example.com'),
  iterHistory: async (w) => {
    const chat = await w.supergroup();
    for (const text of ['One', 'Two', 'Three']) await w.text(chat, text);
    const list = async (params: object) =>
      (await all(m.iterHistory(w.ada, chat, { chunkSize: 2, ...params }))).map(({ text }) => text);
    expect(await list({})).toEqual(['Three', 'Two', 'One', '']);
    expect(await list({ reverse: true })).toEqual(['', 'One', 'Two', 'Three']);
  },
  // It has no end of its own, whatever a page says of the next.
  iterReactionUsers: async (w) => {
    const heard = await aReaction(w);
    for await (const { emoji } of m.iterReactionUsers(w.ada, idOf(heard))) return expect(emoji).toBe('👍');
  },
  iterSearchGlobal: async (w) => {
    const ids = [(await w.text(w.toBob, 'A thimble')).id, (await w.text(w.toBot, 'A thimble')).id];
    const found = await all(m.iterSearchGlobal(w.ada, { query: 'thimble', chunkSize: 1 }));
    expect(found.map(({ id }) => id).sort()).toEqual(ids.sort());
  },
  iterSearchMessages: async (w) => {
    const ids = [(await w.text(w.toBob, 'A bobbin')).id, (await w.text(w.toBob, 'A bobbin')).id];
    const found = await all(m.iterSearchMessages(w.ada, { chatId: w.toBob, query: 'bobbin', chunkSize: 1 }));
    expect(found.map(({ id }) => id)).toEqual(ids.toReversed());
  },
  pinMessage: async (w) => {
    const { id } = await w.text();
    await m.pinMessage(w.ada, { chatId: w.toBob, message: id });
    expect(await pinnedId(w)).toBe(id);
  },
  readHistory: async (w) => {
    await w.heard();
    await m.readHistory(w.ada, w.toBob, { clearMentions: true });
    expect((await m.getPeerDialogs(w.ada, w.toBob))[0]?.unreadCount).toBe(0);
  },
  readReactions: (w) => m.readReactions(w.ada, w.toBob),
  searchGlobal: async (w) => {
    const { id } = await w.text(w.toBot, 'A spindle');
    expect((await m.searchGlobal(w.ada, { query: 'spindle' })).map((one) => one.id)).toEqual([id]);
  },
  searchHashtag: (w) => m.searchHashtag(w.ada, 'tag'),
  iterSearchHashtag: (w) => all(m.iterSearchHashtag(w.ada, 'tag')),
  searchMessages: async (w) => {
    const { id } = await w.text(w.toBob, 'A needle');
    const found = await m.searchMessages(w.ada, { chatId: w.toBob, query: 'needle' });
    expect(found[0]?.id).toBe(id);
  },
  searchPostsGlobal: (w) => m.searchPostsGlobal(w.ada, 'Hello'),
  sendCopyGroup: async (w) => {
    const sent = await m.sendMediaGroup(w.ada, w.toBob, [document(), document()]);
    isAlbum(await m.sendCopyGroup(w.ada, { toChatId: 'me', messages: sent }));
  },
  sendCopy: async (w) =>
    expect((await m.sendCopy(w.ada, { toChatId: 'me', message: await w.text() })).text).toBe('Hello'),
  sendMediaGroup: async (w) => isAlbum(await m.sendMediaGroup(w.ada, w.toBob, [document(), document()])),
  sendMedia: async (w) => {
    const sent = await m.sendMedia(w.ada, w.toBob, document(), { caption: 'Notes' });
    isDocument(sent);
    expect(sent.text).toBe('Notes');
  },
  sendPaidReaction: async (w) => m.sendPaidReaction(w.ada, idOf(await w.text(await w.channel()))),
  sendReaction: async (w) => {
    const reacted = await m.sendReaction(w.ada, { ...idOf(await w.heard()), emoji: '👍' });
    expect(reacted?.reactions?.reactions).toMatchObject([{ emoji: '👍', count: 1 }]);
  },
  sendRichMessage: async (w) => {
    const content = { type: 'markdown', content: '# Title' } as never;
    const { raw } = await m.sendRichMessage(w.ada, w.toBob, { content });
    expect(raw).toMatchObject({ richMessage: { blocks: [{ _: 'pageBlockHeading1' }] } });
  },
  sendScheduled: async (w) => {
    const { id } = await scheduled(w);
    expect(await m.sendScheduled(w.ada, w.toBob, id)).toMatchObject([{ text: 'Later' }]);
  },
  sendText: async (w) => expect(await w.text()).toMatchObject({ text: 'Hello', isOutgoing: true }),
  sendTyping: async (w) => {
    const heard = await w.hears(w.bob, 'UserTyping', () => m.sendTyping(w.ada, w.toBob));
    expect(heard).toMatchObject([{ userId: w.toAda.id, action: { _: 'sendMessageTypingAction' } }]);
  },
  sendVote: async (w) => {
    const sent = await m.sendMedia(w.bob, w.toAda, poll());
    const [heard] = await m.getHistory(w.ada, w.toBob, { limit: 1 });
    if (!sent || !heard) throw new Error('no poll');
    const voted = await m.sendVote(w.ada, { ...idOf(heard), options: 0 });
    expect(voted.answers.map(({ chosen }) => chosen)).toEqual([true, false]);
  },
  setTyping: async (w) => {
    const stop = () => m.setTyping(w.ada, { peerId: w.toBob, status: 'cancel' });
    const heard = await w.hears(w.bob, 'UserTyping', stop);
    expect(heard).toMatchObject([{ userId: w.toAda.id, action: { _: 'sendMessageCancelAction' } }]);
  },
  toggleTodoCompleted: async (w) =>
    m.toggleTodoCompleted(w.ada, { ...idOf(await aList(w)), completed: 1, uncompleted: [] }),
  translateMessage: async (w) => m.translateMessage(w.ada, { ...idOf(await w.text()), toLanguage: 'de' }),
  translateText: (w) => m.translateText(w.ada, 'Hello', 'de'),
  unpinAllMessages: async (w) => {
    for (let i = 0; i < 2; i += 1) await m.pinMessage(w.ada, idOf(await w.text()));
    await m.unpinAllMessages(w.ada, w.toBob);
    expect(await pinnedId(w)).toBeUndefined();
  },
  unpinMessage: async (w) => {
    const sent = idOf(await w.text());
    await m.pinMessage(w.ada, sent);
    await m.unpinMessage(w.ada, sent);
    expect(await pinnedId(w)).not.toBe(sent.message);
  },
};
