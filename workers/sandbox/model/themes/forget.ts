import type { CallContext } from '../../../driver.ts';
import type { Forgetting } from '../common/forget.ts';
import { someMembers } from '../common/scan-some.ts';
import { installedKey, ownThemesKey, THEME_INSTALLS, THEME_SLUGS, THEMES, themeUsersKey } from './keys.ts';
import { type FoundTheme, findThemes } from './themes.ts';

// Each takes six writes, and one that was installed another one.
const AT_ONCE = 15;

export const themes: Forgetting = {
  ownKeys: (userId) => [[ownThemesKey(userId), 'z']],
  async forget(call, userId) {
    const { tx } = call;
    const name = ownThemesKey(userId);
    const ids = await tx.read.zrange(tx.key(name), '0', String(AT_ONCE));
    const some = ids.slice(0, AT_ONCE);
    const [found, areUsed] = await Promise.all([
      findThemes(call, some),
      Promise.all(some.map((themeId) => isThemeUsedByOthers(call, themeId, userId))),
    ]);
    for (const [i, themeId] of some.entries()) {
      tx.srem(themeUsersKey(themeId), userId);
      tx.zrem(name, themeId);
      const theme = found[i];
      if (theme?.record.creatorId === userId && !areUsed[i]) remove(call, themeId, theme);
    }
    return (await forgetInstalls(call, userId)) && ids.length <= AT_ONCE;
  },
};

// Who installs a theme again is counted again.
async function forgetInstalls(call: CallContext, userId: number): Promise<boolean> {
  const { tx } = call;
  const name = installedKey(userId);
  const [ids, count] = await Promise.all([someMembers(call, name, AT_ONCE), tx.read.scard(tx.key(name))]);
  const found = await findThemes(call, ids);
  for (const [i, themeId] of ids.entries()) {
    const theme = found[i];
    tx.srem(name, themeId);
    if (!theme) continue;
    // If it is removed meanwhile, nothing is left to be counted.
    tx.expectField(THEMES, themeId, theme.raw);
    tx.hincrby(THEME_INSTALLS, themeId, -1);
  }
  return count <= ids.length;
}

/** Whether others than its creator have the theme in their lists. */
export async function isThemeUsedByOthers(
  { tx }: CallContext,
  themeId: string,
  creatorId: number,
): Promise<boolean> {
  const users = tx.key(themeUsersKey(themeId));
  const [count, own] = await Promise.all([tx.read.scard(users), tx.read.sismember(users, String(creatorId))]);
  return count > own;
}

/** Removes a theme. */
export async function forgetTheme(call: CallContext, themeId: string): Promise<void> {
  const [found = null] = await findThemes(call, [themeId]);
  remove(call, themeId, found);
}

function remove({ tx }: CallContext, themeId: string, found: FoundTheme | null): void {
  if (found) tx.hdel(THEME_SLUGS, found.record.slug.toLowerCase());
  tx.hdel(THEMES, themeId);
  tx.hdel(THEME_INSTALLS, themeId);
  tx.del(themeUsersKey(themeId), 's');
}
