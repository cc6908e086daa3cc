import type { CallContext } from '../../../driver.ts';
import type { Forgetting } from '../common/forget.ts';
import { someMembers } from '../common/scan-some.ts';
import { installedKey, ownThemesKey, THEME_INSTALLS, THEMES, unlistedThemesKey } from './keys.ts';
import { leaveTheme } from './leave-theme.ts';
import { findThemes } from './themes.ts';

// Each takes eight writes, and one that was installed another one.
const AT_ONCE = 12;

export const themes: Forgetting = {
  async forget(call, userId) {
    const { tx } = call;
    const [listed, unlisted] = [ownThemesKey(userId), unlistedThemesKey(userId)];
    const found = await Promise.all([
      tx.read.zrange(tx.key(listed), '0', String(AT_ONCE)),
      someMembers(call, unlisted, AT_ONCE + 1),
    ]);
    const ids = [...new Set(found.flat())];
    const some = ids.slice(0, AT_ONCE);
    for (const id of some) {
      tx.zrem(listed, id);
      tx.srem(unlisted, id);
    }
    await Promise.all(some.map((id) => forgetTheme(call, id, userId)));
    return (await forgetInstalls(call, userId)) && ids.length <= AT_ONCE;
  },
};

/** Takes a theme from a user, and removes it if nobody else has it. Returns whether somebody does. */
export async function forgetTheme(call: CallContext, themeId: string, userId: number): Promise<boolean> {
  const [theme = null] = await findThemes(call, [themeId]);
  return theme !== null && leaveTheme(call, theme, userId);
}

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
