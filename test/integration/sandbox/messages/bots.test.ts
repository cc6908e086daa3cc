import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stateKey } from '../../../../src/redis/keys.ts';
import { dialogsKey } from '../../../../workers/sandbox/model/conversations/keys.ts';
import { USERS } from '../../../../workers/sandbox/model/people/keys.ts';
import { eventually } from '../../../support/eventually.ts';
import { beforeCommitOf } from '../../../support/sandbox/before-commit.ts';
import { peerOf, Sandbox, type SandboxAccount, userOf } from '../../../support/sandbox/sandbox.ts';

let sandbox: Sandbox;
let ada: SandboxAccount;
let bot: SandboxAccount;
beforeAll(async () => {
  sandbox = await Sandbox.open();
  ada = await sandbox.anAccount();
  bot = await sandbox.anAccount('Bot', { workspaceId: ada.workspaceId, bot: true });
  await sandbox.send(ada, peerOf(bot), '/start');
});
afterAll(() => sandbox.close());

const SCOPE = { scope: { _: 'botCommandScopeDefault' }, langCode: '' };
const COMMANDS = [{ _: 'botCommand', command: 'start', description: 'Begins' }];

describe('commands of a bot', () => {
  it('are kept by scope and language, and shown to who has a chat with it', async () => {
    const { updates } = await sandbox.watch(ada, () =>
      sandbox.call(bot, 'bots.setBotCommands', { ...SCOPE, commands: COMMANDS }),
    );
    expect(updates.filter(({ accountId }) => accountId !== null)).toMatchObject([
      { accountId: ada.id, update: { _: 'updateBotCommands', botId: bot.userId, commands: COMMANDS } },
    ]);
    expect((await sandbox.call(bot, 'bots.getBotCommands', SCOPE)).items).toEqual(COMMANDS);
    expect((await sandbox.call(bot, 'bots.getBotCommands', { ...SCOPE, langCode: 'de' })).items).toEqual([]);
    const full = async () => (await sandbox.call(ada, 'users.getFullUser', { id: userOf(bot) })).fullUser;
    expect((await full()).botInfo).toMatchObject({ commands: COMMANDS });
    const peer = { _: 'botCommandScopePeer', peer: peerOf(ada) };
    await sandbox.call(bot, 'bots.setBotCommands', { scope: peer, langCode: 'en', commands: COMMANDS });
    await sandbox.call(bot, 'bots.resetBotCommands', SCOPE);
    expect((await full()).botInfo).not.toHaveProperty('commands');
    expect((await sandbox.call(bot, 'bots.getBotCommands', { scope: peer, langCode: 'en' })).items).toEqual(
      COMMANDS,
    );
  });

  it('are told to users when others apply to them, and those that apply', async () => {
    const commands = (name: string) => [{ ...COMMANDS[0], command: name }];
    const scopes = { default: SCOPE, users: { ...SCOPE, scope: { _: 'botCommandScopeUsers' } } };
    const told = async (scope: keyof typeof scopes, name: string | null) => {
      const method = name === null ? 'bots.resetBotCommands' : 'bots.setBotCommands';
      const params = { ...scopes[scope], ...(name === null ? {} : { commands: commands(name) }) };
      const { updates } = await sandbox.watch(ada, () => sandbox.call(bot, method, params));
      return updates.map(({ update }) => update.commands.map(({ command }: { command: string }) => command));
    };
    expect(await told('default', 'one')).toContainEqual(['one']);
    expect(await told('default', 'one')).toEqual([]);
    expect(await told('users', 'two')).toContainEqual(['two']);
    expect(await told('default', 'three')).toEqual([]);
    expect(await told('users', null)).toContainEqual(['three']);
    expect(await told('default', null)).toContainEqual([]);
  });

  it('are told as they are in the end, though a list that comes before them is set meanwhile', async () => {
    const users = { ...SCOPE, scope: { _: 'botCommandScopeUsers' } };
    const set = (list: object, command: string) =>
      sandbox.call(bot, 'bots.setBotCommands', { ...list, commands: [{ ...COMMANDS[0], command }] });
    const { updates } = await sandbox.watch(ada, () => {
      beforeCommitOf(sandbox, 'bots.setBotCommands', () => set(users, 'two'));
      return set(SCOPE, 'one');
    });
    const told = updates.filter(({ accountId }) => accountId === ada.id);
    expect(told.at(-1)?.update.commands).toMatchObject([{ command: 'two' }]);
    for (const list of [users, SCOPE]) await sandbox.call(bot, 'bots.resetBotCommands', list);
  });

  it('are told to as many users as have a chat with it, however long they are', async () => {
    const users = stateKey(bot.workspaceId, USERS);
    const record = JSON.parse((await sandbox.redis.hget(users, String(ada.userId))) as string);
    const ids = Array.from({ length: 99 }, (_, n) => 5_000_000 + n);
    for (const id of ids) {
      await sandbox.redis.hset(users, String(id), JSON.stringify({ ...record, id, accountId: null }));
      await sandbox.redis.zadd(stateKey(bot.workspaceId, dialogsKey(bot.userId)), 2_000_000_000, `u${id}`);
    }
    const commands = Array.from({ length: 100 }, (_, n) => ({
      _: 'botCommand',
      command: `command_${n}`,
      description: 'x'.repeat(80),
    }));
    const { updates } = await sandbox.watch(bot, () =>
      sandbox.call(bot, 'bots.setBotCommands', { ...SCOPE, commands }),
    );
    expect(updates.map(({ userId }) => userId)).toEqual(expect.arrayContaining(ids));
    for (const { update } of updates) expect(update.commands).toEqual(commands);
    await sandbox.redis.zrem(stateKey(bot.workspaceId, dialogsKey(bot.userId)), ...ids.map((id) => `u${id}`));
    await sandbox.call(bot, 'bots.resetBotCommands', SCOPE);
  });

  it('are refused where they are none, and to users', async () => {
    const refuse = (params: object, account = bot) =>
      sandbox.refusal(account, 'bots.setBotCommands', { ...SCOPE, commands: COMMANDS, ...params });
    const command = (more: object) => ({ commands: [{ ...COMMANDS[0], ...more }] });
    expect(await refuse({}, ada)).toBe('USER_BOT_REQUIRED');
    expect(await refuse({ langCode: 'eng' })).toBe('LANG_CODE_INVALID');
    expect(await refuse(command({ command: 'Start!' }))).toBe('BOT_COMMAND_INVALID');
    expect(await refuse({ commands: Array(101).fill(COMMANDS[0]) })).toBe('BOT_COMMAND_INVALID');
    expect(await refuse(command({ description: 'x'.repeat(257) }))).toBe('BOT_COMMAND_DESCRIPTION_INVALID');
    expect(await refuse(command({ description: '' }))).toBe('BOT_COMMAND_DESCRIPTION_INVALID');
  });
});

describe('a button of a bot', () => {
  const DATA = Buffer.from('yes').toString('base64');
  let msgId: number;

  beforeAll(async () => {
    const buttons = [{ _: 'keyboardButtonCallback', text: 'Yes', data: DATA }];
    const replyMarkup = { _: 'replyInlineMarkup', rows: [{ _: 'keyboardButtonRow', buttons }] };
    await sandbox.send(bot, peerOf(ada), 'Really?', { replyMarkup });
    msgId = (await sandbox.newest(ada, peerOf(bot))).id;
  });

  const press = (more: object = {}) => ({ peer: peerOf(bot), msgId, data: DATA, ...more });
  const queries = async () =>
    (await sandbox.updatesOf(bot)).filter(({ _ }: { _: string }) => _ === 'updateBotCallbackQuery');

  it('is pressed, answered by the bot, and the answer comes back', async () => {
    const known = (await queries()).length;
    const pressed = sandbox.call(ada, 'messages.getBotCallbackAnswer', press());
    const query = await eventually(async () => (await queries())[known]);
    const told = (await sandbox.updates(bot)).findLast(({ update }) => update.queryId === query.queryId);
    expect(told?.users).toMatchObject([{ id: ada.userId }]);
    const own = await sandbox.newest(bot, peerOf(ada));
    expect(query).toMatchObject({
      userId: ada.userId,
      peer: { userId: ada.userId },
      msgId: own.id,
      data: DATA,
    });
    const answer = { queryId: query.queryId, alert: true, message: 'Fine', cacheTime: 10 };
    await sandbox.call(bot, 'messages.setBotCallbackAnswer', answer);
    expect(await pressed).toMatchObject({
      _: 'messages.botCallbackAnswer',
      alert: true,
      message: 'Fine',
      cacheTime: 10,
    });
    expect(await sandbox.refusal(bot, 'messages.setBotCallbackAnswer', answer)).toBe('QUERY_ID_INVALID');
  });

  it('is answered by nobody in time, and eight at once are waited for', async () => {
    const refusals = await Promise.all(
      Array.from({ length: 9 }, () => sandbox.refusal(ada, 'messages.getBotCallbackAnswer', press())),
    );
    expect(refusals.filter((code) => code === 'BOT_RESPONSE_TIMEOUT')).toHaveLength(8);
    expect(refusals.filter((code) => code === 'FLOOD_WAIT')).toHaveLength(1);
  });

  it('is refused where it is none, and so is an answer', async () => {
    const refuse = (more: object) => sandbox.refusal(ada, 'messages.getBotCallbackAnswer', press(more));
    expect(await refuse({ data: 'AAAA' })).toBe('DATA_INVALID');
    expect(await refuse({ msgId: 999 })).toBe('MESSAGE_ID_INVALID');
    expect(await refuse({ game: true })).toBe('DATA_INVALID');
    const say = (more: object, account = bot) =>
      sandbox.refusal(account, 'messages.setBotCallbackAnswer', { queryId: '1', cacheTime: 0, ...more });
    expect(await say({})).toBe('QUERY_ID_INVALID');
    expect(await say({}, ada)).toBe('USER_BOT_REQUIRED');
    expect(await say({ message: 'x'.repeat(201) })).toBe('MESSAGE_TOO_LONG');
    expect(await say({ url: 'nowhere' })).toBe('URL_INVALID');
  });
});

it('a button that is pressed has 1 to 64 bytes of data', async () => {
  const codeOf = async (bytes: number) => {
    const data = Buffer.alloc(bytes).toString('base64');
    const buttons = [{ _: 'keyboardButtonCallback', text: 'Yes', data }];
    const replyMarkup = { _: 'replyInlineMarkup', rows: [{ _: 'keyboardButtonRow', buttons }] };
    const params = { peer: peerOf(ada), message: 'Really?', replyMarkup };
    return (await sandbox.answer(bot, 'messages.sendMessage', params)).body.code;
  };
  expect(await codeOf(0)).toBe('BUTTON_DATA_INVALID');
  expect(await codeOf(65)).toBe('BUTTON_DATA_INVALID');
  expect(await codeOf(64)).toBeUndefined();
});
