import type { CallContext } from '../../../driver.ts';
import { ownThemesKey, THEME_TURNS, THEMES, themeUsersKey, unlistedThemesKey } from './keys.ts';
import type { FoundTheme } from './themes.ts';

/** Puts a theme at the front of the calling account's list. */
export function listTheme({ tx, account, date }: CallContext, { record, raw }: FoundTheme): void {
  const { id, creatorId } = record;
  tx.expectField(THEMES, id, raw);
  tx.hincrby(THEME_TURNS, id, 1);
  tx.zadd(ownThemesKey(account.userId), date, id);
  tx.sadd(themeUsersKey(id), account.userId);
  if (creatorId === account.userId) tx.srem(unlistedThemesKey(account.userId), id);
}
