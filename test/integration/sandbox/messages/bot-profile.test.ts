import { afterAll, beforeAll, expect, it } from 'vitest';
import { stateKey } from '../../../../src/redis/keys.ts';
import { botProfileKey } from '../../../../workers/sandbox/model/bots/keys.ts';
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

const full = async () => (await sandbox.call(ada, 'users.getFullUser', { id: userOf(bot) })).fullUser;

it('says what a bot is, to users of each language', async () => {
  const set = (params: object) => sandbox.call(bot, 'bots.setBotInfo', { langCode: '', ...params });
  const get = (langCode: string) => sandbox.call(bot, 'bots.getBotInfo', { langCode });
  await set({ name: ' Robot ', about: 'Answers', description: 'Ask it' });
  expect(await get('')).toMatchObject({ name: 'Robot', about: 'Answers', description: 'Ask it' });
  expect((await sandbox.updatesOf(ada)).at(-1)).toMatchObject({
    _: 'updateUserName',
    userId: bot.userId,
    firstName: 'Robot',
  });
  expect(await full()).toMatchObject({ about: 'Answers', botInfo: { description: 'Ask it' } });
  await set({ langCode: 'de', description: 'Frag' });
  await set({ langCode: 'de', about: 'Antwortet' });
  expect(await get('de')).toMatchObject({ name: '', about: 'Antwortet', description: 'Frag' });
  const refused = (by: SandboxAccount, params: object) =>
    sandbox.refusal(by, 'bots.setBotInfo', { langCode: '', ...params });
  expect(await refused(ada, { name: 'A' })).toBe('USER_BOT_INVALID');
  expect(await refused(bot, { bot: userOf(ada), name: 'A' })).toBe('BOT_INVALID');
  expect(await refused(bot, { langCode: 'deutsch', name: 'A' })).toBe('LANG_CODE_INVALID');
  expect(await refused(bot, { name: ' ' })).toBe('FIRSTNAME_INVALID');
  expect(await refused(bot, { description: 'x'.repeat(513) })).toBe('ABOUT_TOO_LONG');
});

it('keeps what is said to users of a language while something else is', async () => {
  const set = (params: object) => sandbox.call(bot, 'bots.setBotInfo', { langCode: 'fr', ...params });
  beforeCommitOf(sandbox, 'bots.setBotInfo', () => set({ about: 'Répond' }));
  await set({ description: 'Demande' });
  const texts = await sandbox.call(bot, 'bots.getBotInfo', { langCode: 'fr' });
  expect(texts).toMatchObject({ about: 'Répond', description: 'Demande' });
});

it('shows the menu button of a bot: that for the user, or for everybody', async () => {
  const set = (userId: object, button: object) =>
    sandbox.call(bot, 'bots.setBotMenuButton', { userId, button });
  const everybody = { _: 'inputUserEmpty' };
  const open = { _: 'botMenuButton', text: 'Open', url: 'https://example.com' };
  const get = (userId: object) => sandbox.call(bot, 'bots.getBotMenuButton', { userId });
  expect(await get(everybody)).toEqual({ _: 'botMenuButtonDefault' });
  await set(everybody, { _: 'botMenuButtonCommands' });
  expect((await full()).botInfo.menuButton).toEqual({ _: 'botMenuButtonCommands' });
  await set(userOf(ada), open);
  expect((await sandbox.updatesOf(ada)).at(-1)).toEqual({
    _: 'updateBotMenuButton',
    botId: bot.userId,
    button: open,
  });
  expect((await full()).botInfo.menuButton).toEqual(open);
  await set(everybody, { _: 'botMenuButtonDefault' });
  expect((await sandbox.updatesOf(ada)).at(-1)).toMatchObject({ button: open });
  await set(everybody, { _: 'botMenuButtonCommands' });
  await set(userOf(ada), { _: 'botMenuButtonDefault' });
  expect((await sandbox.updatesOf(ada)).at(-1)).toMatchObject({ button: { _: 'botMenuButtonCommands' } });
  expect(await get(userOf(ada))).toEqual({ _: 'botMenuButtonDefault' });
  expect((await full()).botInfo.menuButton).toEqual({ _: 'botMenuButtonCommands' });
  const refused = (button: object, by = bot) =>
    sandbox.refusal(by, 'bots.setBotMenuButton', { userId: everybody, button });
  expect(await refused(open, ada)).toBe('USER_BOT_REQUIRED');
  expect(await refused({ ...open, text: ' ' })).toBe('BUTTON_TEXT_INVALID');
  expect(await refused({ ...open, url: 'http://example.com' })).toBe('BUTTON_URL_INVALID');
  const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`menu:${i + 5_000}`, '{}']));
  await sandbox.redis.hset(stateKey(bot.workspaceId, botProfileKey(bot.userId)), many);
  const toAda = { userId: userOf(ada), button: open };
  expect(await sandbox.refusal(bot, 'bots.setBotMenuButton', toAda)).toBe('BUTTON_INVALID');
  await set(everybody, open);
  await set(everybody, { _: 'botMenuButtonDefault' });
  expect(await get(everybody)).toEqual({ _: 'botMenuButtonDefault' });
});

it('tells of the menu button that a user sees in the end, of two that are set at once', async () => {
  const cleo = await sandbox.anAccount('Cleo', { workspaceId: ada.workspaceId });
  const shop = await sandbox.anAccount('Shop', { workspaceId: ada.workspaceId, bot: true });
  await sandbox.send(cleo, peerOf(shop), '/start');
  const set = (userId: object, _: string) =>
    sandbox.call(shop, 'bots.setBotMenuButton', {
      userId,
      button: _ === 'botMenuButton' ? { _, text: 'Open', url: 'https://example.com' } : { _ },
    });
  const everybody = { _: 'inputUserEmpty' };
  const shown = async () => {
    const { fullUser } = await sandbox.call(cleo, 'users.getFullUser', { id: userOf(shop) });
    return fullUser.botInfo.menuButton;
  };
  const told = async () => (await sandbox.updatesOf(cleo)).at(-1)?.button;
  beforeCommitOf(sandbox, 'bots.setBotMenuButton', () => set(userOf(cleo), 'botMenuButton'));
  await set(everybody, 'botMenuButtonCommands');
  expect(await told()).toEqual(await shown());
  beforeCommitOf(sandbox, 'bots.setBotMenuButton', () => set(everybody, 'botMenuButton'));
  await set(userOf(cleo), 'botMenuButtonDefault');
  expect(await told()).toEqual(await shown());
});

it('suggests what a bot is to be allowed as an administrator', async () => {
  const suggest = (of: string, rights: object, by = bot) =>
    sandbox.call(by, `bots.setBot${of}DefaultAdminRights`, {
      adminRights: { _: 'chatAdminRights', ...rights },
    });
  await suggest('Group', { inviteUsers: true });
  await suggest('Broadcast', { postMessages: true });
  expect(await full()).toMatchObject({
    botGroupAdminRights: { inviteUsers: true, postMessages: false },
    botBroadcastAdminRights: { postMessages: true },
  });
  const again = { adminRights: { _: 'chatAdminRights', inviteUsers: true } };
  const refused = (by: SandboxAccount) => sandbox.refusal(by, 'bots.setBotGroupDefaultAdminRights', again);
  expect(await refused(bot)).toBe('RIGHTS_NOT_MODIFIED');
  expect(await refused(ada)).toBe('USER_BOT_REQUIRED');
  // Called by name in the loop above: bots.setBotBroadcastDefaultAdminRights.
});
