import { BotInline, BotInlineMessage, BotKeyboard, Long } from '@mtcute/core';
import * as m from '@mtcute/core/methods.js';
import { expect } from 'vitest';
import type { Use, World } from '../../support/clients/world.ts';
import { eventually } from '../../support/eventually.ts';

const ADMIN = { inviteUsers: true } as never;
const COMMANDS = { commands: [{ _: 'botCommand' as const, command: 'help', description: 'Helps' }] };
const INLINE = { _: 'inputBotInlineMessageID', dcId: 1, id: Long.ONE, accessHash: Long.ONE } as const;
const article = () => BotInline.article('1', { title: 'Title', message: BotInlineMessage.text('Hello') });
const toAda = (w: World) => w.ada.account.userId;
const sent = async (w: World) => ({
  chatId: toAda(w),
  message: (await m.sendText(w.bot, toAda(w), 'Choose')).id,
});
const game = async (w: World) => ({ ...(await sent(w)), userId: toAda(w) });

/** Ada presses a button of the bot's, which hears of it and says something. */
async function press(w: World): Promise<void> {
  const replyMarkup = BotKeyboard.inline([[BotKeyboard.callback('Yes', 'yes')]]);
  await m.sendText(w.bot, toAda(w), 'Choose', { replyMarkup });
  const [message] = await m.getHistory(w.ada, w.toBot, { limit: 1 });
  const { id, workspaceId } = w.bot.account;
  const filter = `messengerAccountId=${id}&kind=RawUpdateBotCallbackQuery`;
  const listQueries = () => w.service.updates(workspaceId, '-1', filter);
  const { length: before } = await listQueries();
  const pressed = m.getCallbackAnswer(w.ada, { chatId: w.toBot, message: message?.id ?? 0, data: 'yes' });
  pressed.catch(() => undefined);
  const { update } = await eventually(async () => (await listQueries())[before]);
  await m.answerCallbackQuery(w.bot, Long.fromString(update.queryId), { text: 'Done' });
  expect((await pressed).message).toBe('Done');
}

export const bots: Record<string, Use> = {
  answerBotGuestChatQuery: (w) => m.answerBotGuestChatQuery(w.bot, Long.ONE, article()),
  answerCallbackQuery: press,
  answerInlineQuery: (w) => m.answerInlineQuery(w.bot, Long.ONE, [article()]),
  answerPreCheckoutQuery: (w) => m.answerPreCheckoutQuery(w.bot, Long.ONE),
  deleteMyCommands: async (w) => {
    await m.setMyCommands(w.bot, COMMANDS);
    await m.deleteMyCommands(w.bot);
    expect(await m.getMyCommands(w.bot)).toEqual([]);
  },
  getBotInfo: async (w) => expect((await m.getBotInfo(w.bot, {})).name).not.toBe(''),
  getBotMenuButton: async (w) => {
    await m.setBotMenuButton(w.bot, toAda(w), { _: 'botMenuButtonCommands' });
    expect((await m.getBotMenuButton(w.bot, toAda(w)))._).toBe('botMenuButtonCommands');
  },
  getCallbackAnswer: press,
  getGameHighScores: async (w) => m.getGameHighScores(w.bot, await game(w)),
  getInlineGameHighScores: (w) => m.getInlineGameHighScores(w.bot, INLINE),
  getMyCommands: async (w) => {
    await m.setMyCommands(w.bot, COMMANDS);
    expect(await m.getMyCommands(w.bot)).toMatchObject(COMMANDS.commands);
  },
  openWebview: (w) =>
    m.openWebview(w.ada, {
      webview: { type: 'from_bot_menu', url: 'https://example.com' },
      bot: w.toBot,
      platform: 'ios',
    }),
  closeWebview: (w) => m.closeWebview(w.ada, Long.ONE),
  prepareInlineMessage: (w) => m.prepareInlineMessage(w.bot, { userId: toAda(w), result: article() }),
  setBotInfo: async (w) => {
    await m.setBotInfo(w.bot, { name: 'Robot', bio: 'Answers' });
    expect(await m.getBotInfo(w.bot, {})).toMatchObject({ name: 'Robot', about: 'Answers' });
  },
  setBotMenuButton: async (w) => {
    await m.setBotMenuButton(w.bot, toAda(w), { _: 'botMenuButtonCommands' });
    expect((await m.getFullUser(w.ada, w.toBot)).full.botInfo?.menuButton?._).toBe('botMenuButtonCommands');
  },
  setGameScore: async (w) => m.setGameScore(w.bot, { ...(await game(w)), score: 5 }),
  setInlineGameScore: (w) => m.setInlineGameScore(w.bot, { messageId: INLINE, userId: toAda(w), score: 5 }),
  setMyCommands: async (w) => {
    await m.setMyCommands(w.bot, COMMANDS);
    const { botInfo } = (await m.getFullUser(w.ada, w.toBot)).full;
    expect(botInfo?.commands).toMatchObject(COMMANDS.commands);
  },
  setMyDefaultRights: async (w) => {
    await m.setMyDefaultRights(w.bot, { target: 'group', rights: ADMIN });
    expect((await m.getFullUser(w.ada, w.toBot)).full.botGroupAdminRights?.inviteUsers).toBe(true);
  },
  toggleEmojiStatusPermission: (w) => m.toggleEmojiStatusPermission(w.ada, { userId: w.toBot, allow: true }),
};
