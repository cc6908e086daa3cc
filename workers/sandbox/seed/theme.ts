import { randomLong } from '../model/files/documents.ts';
import { THEME_SLUGS, THEMES, themeUsersKey } from '../model/themes/keys.ts';
import { CLASSIC_EMOTICON, CLASSIC_SETTINGS } from '../model/themes/theme-settings.ts';
import type { ThemeRecord } from '../model/themes/themes.ts';
import type { Seeding } from './seeding.ts';

/** A theme that the account created. It is not in the account's list, so that it can be saved and installed. */
export function seedTheme({ call: { tx }, self, ids }: Seeding): void {
  const record: ThemeRecord = {
    id: ids.themeId,
    accessHash: randomLong(),
    slug: seededSlug(self.id),
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

/** The slug of a user's seeded theme. */
export function seededSlug(userId: number): string {
  return `furnished_${userId}`;
}
