import { defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { ownTheme, THEME_FORMAT } from '../../examples/seeded-things.ts';
import { findUsers, targetOf } from '../../model/people/users.ts';
import { THEME_SLUGS, THEMES, themeUsersKey } from '../../model/themes/keys.ts';
import { toThemeSettings } from '../../model/themes/theme-settings.ts';
import {
  countInstalls,
  readThemeFormat,
  readThemeTitle,
  resolveTheme,
  resolveThemeDocument,
  type ThemeRecord,
  takeSlug,
  toTlTheme,
} from '../../model/themes/themes.ts';

const TOLD_MAX = 200;

/**
 * Changes a theme that the account created, and notifies up to about 200 users who have it. Error: `THEME_INVALID` for another user's
 * theme.
 */
export const updateTheme = defineMethod('account.updateTheme', async (params, call) => {
  const { tx, account } = call;
  const format = readThemeFormat(params.format);
  const { record, raw } = await resolveTheme(call, params.theme);
  if (record.creatorId !== account.userId) throw new MessengerError('THEME_INVALID');
  const { slug = record.slug, title, settings } = params;
  if (slug === '') throw new MessengerError('THEME_SLUG_INVALID');
  const documents = params.document ? await resolveThemeDocument(call, params.document) : {};
  const changed: ThemeRecord = {
    ...record,
    ...(title === undefined ? {} : { title: readThemeTitle(title) }),
    ...(settings ? { settings: toThemeSettings(settings) } : {}),
    slug,
    documents: { ...record.documents, ...documents },
    version: record.version + 1,
  };
  if (slug.toLowerCase() !== record.slug.toLowerCase()) {
    await takeSlug(call, slug, record.id);
    tx.hdel(THEME_SLUGS, record.slug.toLowerCase());
  }
  tx.expectField(THEMES, record.id, raw);
  tx.hset(THEMES, record.id, changed);
  const [installs = 0] = await countInstalls(call, [record.id]);
  const [, some] = await tx.read.sscan(tx.key(themeUsersKey(record.id)), 0, 'COUNT', TOLD_MAX);
  const holders = some.slice(0, TOLD_MAX).map(Number);
  for (const user of await findUsers(call, [...new Set([account.userId, ...holders])])) {
    if (!user || user.deleted) continue;
    tx.update(targetOf(user), { _: 'updateTheme', theme: toTlTheme(changed, user.id, installs, format) });
  }
  return toTlTheme(changed, account.userId, installs, format);
});

export const example: Example<'account.updateTheme'> = (context) => ({
  format: THEME_FORMAT,
  theme: ownTheme(context),
  title: 'Another title',
});

export const difference = 'At most 200 users of the theme are told.';
