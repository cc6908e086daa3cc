import { defineMethod } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { ownTheme } from '../../examples/seeded-things.ts';
import { ownThemesKey, themeUsersKey } from '../../model/themes/keys.ts';
import { resolveTheme } from '../../model/themes/themes.ts';

/** Adds a theme to the account's list, or removes it. */
export const saveTheme = defineMethod('account.saveTheme', async ({ theme, unsave }, call) => {
  const { tx, account, date } = call;
  const { id } = (await resolveTheme(call, theme)).record;
  if (unsave) {
    tx.zrem(ownThemesKey(account.userId), id);
    tx.srem(themeUsersKey(id), account.userId);
  } else {
    tx.zadd(ownThemesKey(account.userId), date, id);
    tx.sadd(themeUsersKey(id), account.userId);
  }
  return true;
});

export const example: Example<'account.saveTheme'> = (context) => ({
  theme: ownTheme(context),
  unsave: false,
});
