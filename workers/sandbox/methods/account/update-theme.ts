import { defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { ownTheme, THEME_FORMAT } from '../../examples/seeded-things.ts';
import { timesFitting } from '../../model/common/commit-size.ts';
import { findUsers, targetOf } from '../../model/people/users.ts';
import { THEME_SLUGS, THEMES, themeUsersKey } from '../../model/themes/keys.ts';
import { toThemeSettings } from '../../model/themes/theme-settings.ts';
import {
  countInstalls,
  readThemeFormat,
  readThemeTitle,
  refuseLargeTheme,
  refuseMalformedSlug,
  resolveTheme,
  resolveThemeDocument,
  type ThemeRecord,
  takeSlug,
  toTlTheme,
} from '../../model/themes/themes.ts';

const TOLD_MAX = 200;
// The commit has the theme twice more: as it is kept, and in the result.
const OTHERS = 2;

/**
 * Changes a theme that the account created, and notifies up to about 200 users who have it, fewer if it is so large that the commit would
 * not fit. Error: `THEME_INVALID` for another user's theme.
 */
export const updateTheme = defineMethod('account.updateTheme', async (params, call) => {
  const { tx, account } = call;
  const format = readThemeFormat(params.format);
  const { record, raw } = await resolveTheme(call, params.theme);
  if (record.creatorId !== account.userId) throw new MessengerError('THEME_INVALID');
  const { slug = record.slug, title, settings } = params;
  refuseMalformedSlug(slug);
  const documents = params.document ? await resolveThemeDocument(call, params.document) : {};
  const changed: ThemeRecord = {
    ...record,
    ...(title === undefined ? {} : { title: readThemeTitle(title) }),
    ...(settings ? { settings: toThemeSettings(settings) } : {}),
    slug,
    documents: { ...record.documents, ...documents },
    version: record.version + 1,
  };
  refuseLargeTheme(changed);
  if (slug.toLowerCase() !== record.slug.toLowerCase()) {
    await takeSlug(call, slug, record.id);
    tx.hdel(THEME_SLUGS, record.slug.toLowerCase());
  }
  tx.expectField(THEMES, record.id, raw);
  tx.hset(THEMES, record.id, changed);
  const [installs = 0] = await countInstalls(call, [record.id]);
  const [, some] = await tx.read.sscan(tx.key(themeUsersKey(record.id)), 0, 'COUNT', TOLD_MAX);
  const shown = toTlTheme(changed, account.userId, installs, format);
  const fitting = timesFitting(JSON.stringify(shown).length) - OTHERS;
  const holders = some.slice(0, Math.min(TOLD_MAX, fitting)).map(Number);
  for (const user of await findUsers(call, [...new Set([account.userId, ...holders])])) {
    if (!user || user.deleted) continue;
    tx.update(targetOf(user), { _: 'updateTheme', theme: toTlTheme(changed, user.id, installs, format) });
  }
  return shown;
});

export const example: Example<'account.updateTheme'> = (context) => ({
  format: THEME_FORMAT,
  theme: ownTheme(context),
  title: 'Another title',
});

export const difference = 'At most 200 users of the theme are told, fewer if it is large.';
