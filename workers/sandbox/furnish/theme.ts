import { randomLong } from '../model/documents.ts';
import { THEME_SLUGS, THEMES, themeUsersKey } from '../model/state-keys.ts';
import { CLASSIC_EMOTICON, CLASSIC_SETTINGS } from '../model/theme-settings.ts';
import type { ThemeRecord } from '../model/themes.ts';
import type { Furnishing } from './furnishing.ts';

/** A theme the account created; it is not in its list, so that it may be saved and installed. */
export function furnishTheme({ call: { tx }, self, ids }: Furnishing): void {
  const record: ThemeRecord = {
    id: ids.themeId,
    accessHash: randomLong(),
    slug: furnishedSlug(self.id),
    title: 'Theme',
    creatorId: self.id,
    settings: CLASSIC_SETTINGS,
    emoticon: CLASSIC_EMOTICON,
    documents: {},
    version: 1,
  };
  tx.hset(THEMES, record.id, record);
  tx.hset(THEME_SLUGS, record.slug, record.id);
  tx.sadd(themeUsersKey(record.id), self.id);
}

/** The slug of a user's furnished theme. */
export function furnishedSlug(userId: number): string {
  return `furnished_${userId}`;
}
