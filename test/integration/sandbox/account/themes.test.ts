import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../../src/ids.ts';
import { stateKey } from '../../../../src/redis/keys.ts';
import { ownThemesKey, THEMES, themeUsersKey } from '../../../../workers/sandbox/model/themes/keys.ts';
import { beforeCommitOf } from '../../../support/sandbox/before-commit.ts';
import { Sandbox, type SandboxAccount } from '../../../support/sandbox/sandbox.ts';

let sandbox: Sandbox;
let author: SandboxAccount;
let user: SandboxAccount;

beforeAll(async () => {
  sandbox = await Sandbox.open();
  const id = newId('workspace');
  [author, user] = (await Promise.all([
    sandbox.anAccount('Account', { workspaceId: id }),
    sandbox.anAccount('Account', { workspaceId: id }),
  ])) as [SandboxAccount, SandboxAccount];
});

afterAll(() => sandbox.close());

const result = (account: SandboxAccount, method: string, params: object) =>
  sandbox.call(account, method, params);
const refused = (account: SandboxAccount, method: string, params: object) =>
  sandbox.refusal(account, method, params);

const aTheme = (slug: string, more: object = {}) =>
  result(author, 'account.createTheme', { slug, title: 'Theme', ...more });
const bySlug = (slug: string) => ({ _: 'inputThemeSlug', slug });
const byId = ({ id, accessHash }: { id: string; accessHash: string }) => ({
  _: 'inputTheme',
  id,
  accessHash,
});
const get = (account: SandboxAccount, slug: string, format = 'android') =>
  result(account, 'account.getTheme', { format, theme: bySlug(slug) });

const SETTINGS = {
  _: 'inputThemeSettings',
  messageColorsAnimated: true,
  baseTheme: { _: 'baseThemeNight' },
  accentColor: 255,
  outboxAccentColor: 16,
  messageColors: [1, 2],
  wallpaper: { _: 'inputWallPaperNoFile', id: '0' },
  wallpaperSettings: { _: 'wallPaperSettings', blur: true, backgroundColor: 3 },
};

let files = 0;

async function aFile(mimeType: string, method = 'account.uploadTheme') {
  files += 1;
  const bytes = Buffer.from(`theme ${files}`).toString('base64');
  const fileId = String(files);
  await result(author, 'upload.saveFilePart', { fileId, filePart: 0, bytes });
  const file = { _: 'inputFile', id: fileId, parts: 1, name: 'a.theme', md5Checksum: '' };
  return result(author, method, { file, fileName: 'a.theme', mimeType });
}

const asInput = ({ id, accessHash, fileReference }: Record<string, string>) => ({
  _: 'inputDocument',
  id,
  accessHash,
  fileReference,
});

it('creates a theme that others find by its slug, install and see counted once each', async () => {
  const created = await aTheme('ocean_1', { settings: [SETTINGS] });
  expect(created).toMatchObject({
    creator: true,
    slug: 'ocean_1',
    title: 'Theme',
    installsCount: 0,
    settings: [
      {
        messageColorsAnimated: true,
        baseTheme: { _: 'baseThemeNight' },
        accentColor: 255,
        outboxAccentColor: 16,
        messageColors: [1, 2],
        wallpaper: { _: 'wallPaperNoFile', settings: { blur: true, backgroundColor: 3 } },
      },
    ],
  });
  const install = { theme: bySlug('ocean_1'), format: 'android' };
  expect(await result(user, 'account.installTheme', install)).toEqual({ _: 'boolTrue' });
  await result(user, 'account.installTheme', install);
  expect(await get(user, 'OCEAN_1')).toMatchObject({ id: created.id, creator: false, installsCount: 1 });
  await result(author, 'account.installTheme', { theme: byId(created), dark: true });
  expect((await get(user, 'ocean_1')).installsCount).toBe(2);
  expect(await result(user, 'account.installTheme', { baseTheme: { _: 'baseThemeDay' } })).toEqual({
    _: 'boolTrue',
  });
});

it('puts a theme that is installed again back into the list', async () => {
  const theme = byId(await aTheme('again_1'));
  const slugs = async () => {
    const { themes } = await result(user, 'account.getThemes', { format: 'android', hash: '0' });
    return themes.map(({ slug }: { slug: string }) => slug);
  };
  await result(user, 'account.installTheme', { theme });
  await result(user, 'account.saveTheme', { theme, unsave: true });
  expect(await slugs()).not.toContain('again_1');
  await result(user, 'account.installTheme', { theme });
  expect(await slugs()).toContain('again_1');
  expect((await get(user, 'again_1')).installsCount).toBe(1);
});

it('counts an account that installs themes again after a reset once', async () => {
  const { workspaceId } = author;
  const other = await sandbox.anAccount('Account', { workspaceId });
  // More than a reset forgets at once.
  const names = Array.from({ length: 20 }, (_, n) => `reset_${n}`);
  for (const name of names) await aTheme(name);
  const install = async () => {
    for (const name of names) await result(other, 'account.installTheme', { theme: bySlug(name) });
  };
  const counts = () => Promise.all(names.map(async (name) => (await get(author, name)).installsCount));
  await install();
  expect(new Set(await counts())).toEqual(new Set([1]));
  for (let done = false; !done; ) done = (await sandbox.order(other, 'resetAccount')).done;
  expect(new Set(await counts())).toEqual(new Set([0]));
  await install();
  expect(new Set(await counts())).toEqual(new Set([1]));
});

it.each(['account.installTheme', 'account.saveTheme'])(
  '%s leaves nothing behind of a theme that is removed meanwhile',
  async (method) => {
    const { workspaceId } = author;
    const other = await sandbox.anAccount('Account', { workspaceId });
    const theme = byId(await result(other, 'account.createTheme', { slug: '', title: 'Theme' }));
    beforeCommitOf(sandbox, method, async () => {
      for (let done = false; !done; ) done = (await sandbox.order(other, 'resetAccount')).done;
    });
    expect(
      await refused(user, method, method === 'account.saveTheme' ? { theme, unsave: false } : { theme }),
    ).toBe('THEME_INVALID');
  },
);

it('removes a theme that its creator and the last who has it give up at once', async () => {
  const { workspaceId } = author;
  const reset = async (account: SandboxAccount) => {
    for (let done = false; !done; ) done = (await sandbox.order(account, 'resetAccount')).done;
  };
  const isKept = ({ id }: { id: string }) => sandbox.redis.hexists(stateKey(workspaceId, THEMES), id);
  const creator = await sandbox.anAccount('Account', { workspaceId });
  const other = await sandbox.anAccount('Account', { workspaceId });
  const themes = [];
  for (let made = 0; made < 2; made += 1) {
    const theme = byId(await result(creator, 'account.createTheme', { slug: '', title: 'Theme' }));
    for (const account of [user, other]) await result(account, 'account.saveTheme', { theme, unsave: false });
    themes.push(theme);
  }
  const giveUp = (account: SandboxAccount, theme: object) =>
    result(account, 'account.saveTheme', { theme, unsave: true });
  const [first, second] = themes as [ReturnType<typeof byId>, ReturnType<typeof byId>];
  await giveUp(other, first);
  beforeCommitOf(sandbox, 'account.saveTheme', () => reset(creator));
  await giveUp(user, first);
  expect([await isKept(first), await isKept(second)]).toEqual([0, 1]);
  beforeCommitOf(sandbox, 'account.saveTheme', () => reset(other));
  await giveUp(user, second);
  expect(await isKept(second)).toBe(0);
});

it.each([
  ['account.saveTheme', { unsave: false }],
  ['account.installTheme', { format: 'webk' }],
])('keeps a theme that somebody takes by %s as the last who has it gives it up', async (method, params) => {
  const { workspaceId } = author;
  const creator = await sandbox.anAccount('Account', { workspaceId });
  const other = await sandbox.anAccount('Account', { workspaceId });
  const theme = byId(await result(creator, 'account.createTheme', { slug: '', title: 'Theme' }));
  await result(user, 'account.saveTheme', { theme, unsave: false });
  for (let done = false; !done; ) done = (await sandbox.order(creator, 'resetAccount')).done;
  beforeCommitOf(sandbox, 'account.saveTheme', () => result(other, method, { theme, ...params }));
  await result(user, 'account.saveTheme', { theme, unsave: true });
  const { themes } = await result(other, 'account.getThemes', { format: 'webk', hash: '0' });
  expect(themes.map(({ id }: { id: string }) => id)).toContain(theme.id);
});

it('makes up a slug where none is given, and a look where only a title is', async () => {
  const [one, other] = [await aTheme(''), await aTheme('')];
  expect(one.slug).toMatch(/^\w{5,}$/);
  expect(other.slug).not.toBe(one.slug);
  const fields = ['document', 'settings', 'emoticon', 'installsCount'];
  for (const field of fields) expect(one).toHaveProperty(field);
  expect(one.settings[0].wallpaper.settings).toHaveProperty('fourthBackgroundColor');
});

it('lists saved themes, says when nothing changed, and forgets unsaved ones', async () => {
  const list = (hash = '0') => result(user, 'account.getThemes', { format: 'android', hash });
  const created = await aTheme('listed');
  await result(user, 'account.saveTheme', { theme: byId(created), unsave: false });
  const first = await list();
  expect(first.themes.map(({ slug }: { slug: string }) => slug)).toContain('listed');
  expect(await list(first.hash)).toEqual({ _: 'account.themesNotModified' });
  await result(author, 'account.updateTheme', { format: 'android', theme: byId(created), title: 'New' });
  const second = await list(first.hash);
  expect(second.themes).toContainEqual(expect.objectContaining({ slug: 'listed', title: 'New' }));
  await result(user, 'account.saveTheme', { theme: byId(created), unsave: true });
  expect((await list()).themes.map(({ slug }: { slug: string }) => slug)).not.toContain('listed');
});

it('tells everybody who has a theme when its author changes it, and frees the old slug', async () => {
  const created = await aTheme('before_1');
  await result(user, 'account.saveTheme', { theme: byId(created), unsave: false });
  const change = { format: 'android', theme: byId(created), slug: 'after_1', settings: [SETTINGS] };
  expect(await result(author, 'account.updateTheme', change)).toMatchObject({ slug: 'after_1' });
  expect((await sandbox.updatesOf(user)).at(-1)).toMatchObject({
    _: 'updateTheme',
    theme: { id: created.id, slug: 'after_1', settings: [{ accentColor: 255 }] },
  });
  expect(await refused(user, 'account.getTheme', { format: 'android', theme: bySlug('before_1') })).toBe(
    'THEME_SLUG_INVALID',
  );
  await aTheme('before_1');
});

it('keeps a file for each format', async () => {
  const android = await aFile('application/x-tgtheme-android');
  const created = await aTheme('files_1', { document: asInput(android) });
  expect(created.document.id).toBe(android.id);
  const desktop = await aFile('application/x-tgtheme-tdesktop');
  const change = { format: 'tdesktop', theme: byId(created), document: asInput(desktop) };
  expect((await result(author, 'account.updateTheme', change)).document.id).toBe(desktop.id);
  expect((await get(user, 'files_1')).document.id).toBe(android.id);
  expect((await get(user, 'files_1', 'ios')).document._).toBe('documentEmpty');
});

/** A theme file with a name of so many characters. */
async function aNamedFile(length: number, mimeType = 'application/x-tgtheme-android') {
  files += 1;
  const fileId = String(files);
  const bytes = Buffer.from(`theme ${files}`).toString('base64');
  await result(author, 'upload.saveFilePart', { fileId, filePart: 0, bytes });
  const file = { _: 'inputFile', id: fileId, parts: 1, name: '', md5Checksum: '' };
  const attributes = [{ _: 'documentAttributeFilename', fileName: 'x'.repeat(length) }];
  const media = { _: 'inputMediaUploadedDocument', file, mimeType, attributes };
  const peer = { _: 'inputPeerSelf' };
  return asInput((await result(author, 'messages.uploadMedia', { peer, media })).document);
}

it('tells as many of those who have a large theme as fit a commit', async () => {
  const { workspaceId } = author;
  const others = await Promise.all(
    Array.from({ length: 110 }, (_, i) => sandbox.anAccount(`${i}`, { workspaceId })),
  );
  const theme = byId(await aTheme('many_1', { document: await aNamedFile(7_700) }));
  const holders = stateKey(workspaceId, themeUsersKey(theme.id));
  for (const { userId } of others) await sandbox.redis.sadd(holders, String(userId));
  const update = (title: string) =>
    sandbox.watch(author, () => result(author, 'account.updateTheme', { format: 'android', theme, title }));
  const { updates } = await update('New');
  expect(updates.length).toBeGreaterThan(80);
  expect(updates.length).toBeLessThan(105);
  expect(updates.map(({ accountId }) => accountId)).toContain(author.id);
});

it('lists as many themes as fit an answer', async () => {
  const { workspaceId } = author;
  const own = await sandbox.anAccount('Account', { workspaceId });
  for (let made = 0; made < 12; made += 1) {
    const { id } = await result(own, 'account.createTheme', { slug: '', title: 'Theme' });
    const raw = (await sandbox.redis.hget(stateKey(workspaceId, THEMES), id)) ?? '';
    const large = raw.replace('"Theme"', JSON.stringify('x'.repeat(500_000)));
    await sandbox.redis.hset(stateKey(workspaceId, THEMES), id, large);
    await sandbox.redis.zadd(stateKey(workspaceId, ownThemesKey(own.userId)), 2 ** 31 + made, id);
  }
  const { themes } = await result(own, 'account.getThemes', { format: 'android', hash: '0' });
  expect(themes).toHaveLength(8);
});

describe('refuses', () => {
  it('emoticons that are none, and themes that are too large', async () => {
    const create = (params: object) => ({ slug: '', title: 'Theme', ...params });
    const withEmoticon = (emoticon: string) => {
      const wallpaperSettings = { _: 'wallPaperSettings', emoticon };
      return create({ settings: [{ ...SETTINGS, wallpaperSettings }] });
    };
    await result(author, 'account.createTheme', withEmoticon('👨‍👩‍👧‍👦'));
    expect(await refused(author, 'account.createTheme', withEmoticon('x'.repeat(17)))).toBe(
      'WALLPAPER_INVALID',
    );
    const created = await aTheme('large_1', { document: await aNamedFile(7_000) });
    const document = await aNamedFile(7_000, 'application/x-tgtheme-ios');
    const change = { format: 'ios', theme: byId(created) };
    await result(author, 'account.updateTheme', { ...change, document });
    const third = await aNamedFile(7_000, 'application/x-tgtheme-web');
    expect(await refused(author, 'account.updateTheme', { ...change, document: third })).toBe(
      'THEME_PARAMS_INVALID',
    );
  });

  it('slugs that are taken or malformed, and titles that are empty or too long', async () => {
    await aTheme('taken_1');
    const create = (params: object) =>
      refused(user, 'account.createTheme', { slug: '', title: 'Theme', ...params });
    for (const slug of ['TAKEN_1', 'a', 'with space', 'ä_slug', 'x'.repeat(65)])
      expect(await create({ slug })).toBe('THEME_SLUG_INVALID');
    for (const title of ['', '  ', 'x'.repeat(129)])
      expect(await create({ title })).toBe('THEME_TITLE_INVALID');
    const theme = byId(await aTheme('kept_1'));
    const rename = (slug: string) =>
      refused(author, 'account.updateTheme', { format: 'android', theme, slug });
    // The lower case of the sign for kelvin is the letter k.
    for (const slug of ['', 'a', '\u212aept_1']) expect(await rename(slug)).toBe('THEME_SLUG_INVALID');
  });

  it('files that are no themes, unknown wallpapers and two settings of one base', async () => {
    const create = (params: object) =>
      refused(author, 'account.createTheme', { slug: '', title: 'Theme', ...params });
    const { _: input, ...none } = { _: 'inputDocument', id: '5', accessHash: '0', fileReference: '' };
    expect(await create({ document: { _: input, ...none } })).toBe('DOCUMENT_INVALID');
    const wallpaper = { _: 'inputWallPaperSlug', slug: 'none' };
    expect(await create({ settings: [{ ...SETTINGS, wallpaper }] })).toBe('WALLPAPER_INVALID');
    expect(await create({ settings: [SETTINGS, SETTINGS] })).toBe('THEME_PARAMS_INVALID');
    const upload = { file: { _: 'inputFile', id: '1', parts: 1, name: '', md5Checksum: '' }, fileName: 'a' };
    expect(await refused(author, 'account.uploadTheme', { ...upload, mimeType: 'text/plain' })).toBe(
      'THEME_MIME_INVALID',
    );
  });

  it('themes and formats it does not know, and changes of a theme by others', async () => {
    const created = await aTheme('own_1');
    const none = { _: 'inputTheme', id: '5', accessHash: '0' };
    for (const [method, more] of [
      ['account.getTheme', { format: 'android' }],
      ['account.saveTheme', { unsave: false }],
      ['account.installTheme', {}],
      ['account.updateTheme', { format: 'android' }],
    ] as const)
      expect(await refused(user, method, { theme: none, ...more })).toBe('THEME_INVALID');
    expect(await refused(user, 'account.getTheme', { format: 'amiga', theme: byId(created) })).toBe(
      'THEME_FORMAT_INVALID',
    );
    expect(await refused(user, 'account.updateTheme', { format: 'android', theme: byId(created) })).toBe(
      'THEME_INVALID',
    );
  });
});
