import { defineMethod } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { randomLong } from '../../model/files/documents.ts';
import { ownThemesKey, THEMES, themeUsersKey } from '../../model/themes/keys.ts';
import { CLASSIC_EMOTICON, CLASSIC_SETTINGS, toThemeSettings } from '../../model/themes/theme-settings.ts';
import {
  readThemeTitle,
  refuseLargeTheme,
  resolveThemeDocument,
  type ThemeRecord,
  takeSlug,
  toTlTheme,
} from '../../model/themes/themes.ts';

/** Creates a theme and adds it to the account's list. A theme without file and settings looks like the classic theme. */
export const createTheme = defineMethod('account.createTheme', async (params, call) => {
  const { tx, account, date } = call;
  const title = readThemeTitle(params.title);
  const settings = toThemeSettings(params.settings ?? []);
  const id = randomLong();
  const [slug, documents] = await Promise.all([
    takeSlug(call, params.slug, id),
    params.document ? resolveThemeDocument(call, params.document) : {},
  ]);
  const plain = settings.length === 0 && !params.document;
  const record: ThemeRecord = {
    id,
    accessHash: randomLong(),
    slug,
    title,
    creatorId: account.userId,
    settings: plain ? CLASSIC_SETTINGS : settings,
    ...(plain ? { emoticon: CLASSIC_EMOTICON } : {}),
    documents,
    version: 1,
  };
  refuseLargeTheme(record);
  tx.hset(THEMES, id, record);
  tx.zadd(ownThemesKey(account.userId), date, id);
  tx.sadd(themeUsersKey(id), account.userId);
  return toTlTheme(record, account.userId, 0, null);
});

export const example: Example<'account.createTheme'> = () => ({ slug: '', title: 'My theme' });

export const difference = 'Without file and settings it looks like the classic theme.';
