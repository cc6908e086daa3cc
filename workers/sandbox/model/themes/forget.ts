import type { CallContext } from '../../../driver.ts';
import type { Forgetting } from '../common/forget.ts';
import { installedKey, ownThemesKey, THEME_INSTALLS, THEME_SLUGS, THEMES, themeUsersKey } from './keys.ts';
import { findThemes } from './themes.ts';

const AT_ONCE = 100;

export const themes: Forgetting = {
  ownKeys: (userId) => [
    [ownThemesKey(userId), 'z'],
    [installedKey(userId), 's'],
  ],
  async forget({ tx }, userId) {
    const name = ownThemesKey(userId);
    const ids = await tx.read.zrange(tx.key(name), '0', String(AT_ONCE));
    for (const themeId of ids.slice(0, AT_ONCE)) {
      tx.srem(themeUsersKey(themeId), userId);
      tx.zrem(name, themeId);
    }
    return ids.length <= AT_ONCE;
  },
};

/** Whether others than its creator have the theme in their lists. */
export async function isThemeUsedByOthers(
  { tx }: CallContext,
  themeId: string,
  creatorId: number,
): Promise<boolean> {
  const users = await tx.read.smembers(tx.key(themeUsersKey(themeId)));
  return users.some((userId) => Number(userId) !== creatorId);
}

/** Removes a theme. */
export async function forgetTheme(call: CallContext, themeId: string): Promise<void> {
  const { tx } = call;
  const [found] = await findThemes(call, [themeId]);
  if (found) tx.hdel(THEME_SLUGS, found.record.slug.toLowerCase());
  tx.hdel(THEMES, themeId);
  tx.hdel(THEME_INSTALLS, themeId);
  tx.del(themeUsersKey(themeId), 's');
}
