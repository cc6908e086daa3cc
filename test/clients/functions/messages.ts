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

export const messages: Record<string, Use> = {
  answerText: async (w) => m.answerText(w.ada, await w.heard(), 'Yes'),
  answerMedia: async (w) => m.answerMedia(w.ada, await w.heard(), document()),
  answerMediaGroup: async (w) => m.answerMediaGroup(w.ada, await w.heard(), [document(), document()]),
  replyText: async (w) => m.replyText(w.ada, await w.heard(), 'Yes'),
  replyMedia: async (w) => m.replyMedia(w.ada, await w.heard(), document()),
  replyMediaGroup: async (w) => m.replyMediaGroup(w.ada, await w.heard(), [document(), document()]),
  quoteWithText: async (w) => m.quoteWithText(w.ada, await w.heard('Hello you'), { ...quote, text: 'Yes' }),
  quoteWithMedia: async (w) =>
    m.quoteWithMedia(w.ada, await w.heard('Hello you'), { ...quote, media: document() }),
  quoteWithMediaGroup: async (w) =>
    m.quoteWithMediaGroup(w.ada, await w.heard('Hello you'), { ...quote, medias: [document(), document()] }),
  commentText: async (w) => m.commentText(w.ada, await w.text(await w.supergroup()), 'Yes'),
  commentMedia: async (w) => m.commentMedia(w.ada, await w.text(await w.supergroup()), document()),
  commentMediaGroup: async (w) =>
    m.commentMediaGroup(w.ada, await w.text(await w.supergroup()), [document()]),
  appendTodoList: async (w) => m.appendTodoList(w.ada, { ...idOf(await aList(w)), items: 'Milk' }),
  closePoll: async (w) => expect((await m.closePoll(w.ada, idOf(await aPoll(w)))).isClosed).toBe(true),
  createStreamingDraft: async (w) =>
    (await m.createStreamingDraft(w.bot, w.ada.account.userId)).send('Draft'),
  createRichStreamingDraft: async (w) =>
    (await m.createRichStreamingDraft(w.bot, w.ada.account.userId)).send({
      type: 'markdown',
      content: 'Draft',
    } as never),
  deleteMessagesById: async (w) => m.deleteMessagesById(w.ada, w.toBob, [(await w.text()).id]),
  deleteMessages: async (w) => {
    const sent = await w.text();
    await m.deleteMessages(w.ada, [sent]);
    expect(await m.getMessages(w.ada, w.toBob, sent.id)).toEqual([null]);
  },
  deleteScheduledMessages: async (w) =>
    m.deleteScheduledMessages(w.ada, w.toBob, [
      (await m.sendText(w.ada, w.toBob, 'Later', { schedule: soon() })).id,
    ]),
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
  getAllScheduledMessages: (w) => m.getAllScheduledMessages(w.ada, w.toBob),
  getAvailableMessageEffects: (w) => m.getAvailableMessageEffects(w.ada),
  getCallbackQueryMessage: async (w) => {
    const { id } = await m.sendText(w.bot, w.ada.account.userId, 'Choose');
    return m.getCallbackQueryMessage(w.bot, { messageId: id, queryId: Long.ONE, peer: w.ada.account.userId });
  },
  getDiscussionMessage: async (w) => m.getDiscussionMessage(w.ada, idOf(await w.text(await w.supergroup()))),
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
    return m.getMessageGroup(w.ada, idOf(first as Message));
  },
  getMessageReactionsById: async (w) => m.getMessageReactionsById(w.ada, w.toBob, [(await w.text()).id]),
  getMessageReactions: async (w) => m.getMessageReactions(w.ada, [await w.text()]),
  getMessagesUnsafe: async (w) => m.getMessagesUnsafe(w.ada, (await w.text()).id),
  getMessages: async (w) => {
    const { id } = await w.text();
    expect(await m.getMessages(w.ada, w.toBob, [id, 2 ** 30])).toMatchObject([{ id }, null]);
  },
  getReactionUsers: async (w) => m.getReactionUsers(w.ada, idOf(await w.text())),
  getReplyTo: async (w) => {
    const heard = await w.heard();
    const found = await m.getReplyTo(w.ada, await m.replyText(w.ada, heard, 'Yes'));
    expect(found?.id).toBe(heard.id);
  },
  getScheduledMessages: async (w) =>
    m.getScheduledMessages(
      w.ada,
      w.toBob,
      (await m.sendText(w.ada, w.toBob, 'Later', { schedule: soon() })).id,
    ),
  getWebPagePreview: (w) => m.getWebPagePreview(w.ada, 'https://example.com'),
  iterHistory: (w) => all(m.iterHistory(w.ada, w.toBob, { limit: 5, chunkSize: 2 })),
  // It has no end of its own, whatever a page says of the next.
  iterReactionUsers: async (w) => {
    const heard = await w.heard();
    await m.sendReaction(w.ada, { ...idOf(heard), emoji: '👍' });
    for await (const { emoji } of m.iterReactionUsers(w.ada, idOf(heard))) return expect(emoji).toBe('👍');
  },
  iterSearchGlobal: (w) => all(m.iterSearchGlobal(w.ada, { query: 'Hello', limit: 3 })),
  iterSearchMessages: (w) => all(m.iterSearchMessages(w.ada, { chatId: w.toBob, query: 'Hello', limit: 3 })),
  pinMessage: async (w) => {
    const { id } = await w.text();
    await m.pinMessage(w.ada, { chatId: w.toBob, message: id });
    expect((await m.getFullUser(w.ada, w.toBob)).full.pinnedMsgId).toBe(id);
  },
  readHistory: async (w) => {
    await w.heard();
    await m.readHistory(w.ada, w.toBob, { clearMentions: true });
  },
  readReactions: (w) => m.readReactions(w.ada, w.toBob),
  searchGlobal: (w) => m.searchGlobal(w.ada, { query: 'Hello' }),
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
    return m.sendCopyGroup(w.ada, { toChatId: 'me', messages: sent });
  },
  sendCopy: async (w) => m.sendCopy(w.ada, { toChatId: 'me', message: await w.text() }),
  sendMediaGroup: (w) => m.sendMediaGroup(w.ada, w.toBob, [document(), document()]),
  sendMedia: (w) => m.sendMedia(w.ada, w.toBob, document(), { caption: 'Notes' }),
  sendPaidReaction: async (w) => m.sendPaidReaction(w.ada, idOf(await w.text(await w.channel()))),
  sendReaction: async (w) => {
    const reacted = await m.sendReaction(w.ada, { ...idOf(await w.heard()), emoji: '👍' });
    expect(reacted?.reactions?.reactions).toMatchObject([{ emoji: '👍', count: 1 }]);
  },
  sendRichMessage: (w) =>
    m.sendRichMessage(w.ada, w.toBob, { content: { type: 'markdown', content: '# Title' } as never }),
  sendScheduled: async (w) =>
    m.sendScheduled(w.ada, w.toBob, (await m.sendText(w.ada, w.toBob, 'Later', { schedule: soon() })).id),
  sendText: (w) => w.text(),
  sendTyping: (w) => m.sendTyping(w.ada, w.toBob),
  sendVote: async (w) => {
    const sent = await m.sendMedia(w.bob, w.toAda, poll());
    const [heard] = await m.getHistory(w.ada, w.toBob, { limit: 1 });
    if (!sent || !heard) throw new Error('no poll');
    const voted = await m.sendVote(w.ada, { ...idOf(heard), options: 0 });
    expect(voted.answers.map(({ chosen }) => chosen)).toEqual([true, false]);
  },
  setTyping: (w) => m.setTyping(w.ada, { peerId: w.toBob, status: 'cancel' }),
  toggleTodoCompleted: async (w) =>
    m.toggleTodoCompleted(w.ada, { ...idOf(await aList(w)), completed: 1, uncompleted: [] }),
  translateMessage: async (w) => m.translateMessage(w.ada, { ...idOf(await w.text()), toLanguage: 'de' }),
  translateText: (w) => m.translateText(w.ada, 'Hello', 'de'),
  unpinAllMessages: (w) => m.unpinAllMessages(w.ada, w.toBob),
  unpinMessage: async (w) => {
    const sent = idOf(await w.text());
    await m.pinMessage(w.ada, sent);
    await m.unpinMessage(w.ada, sent);
  },
};
