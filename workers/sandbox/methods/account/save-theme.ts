import { defineMethod } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { ownTheme } from '../../examples/seeded-things.ts';
import { ownThemesKey, THEMES, themeUsersKey } from '../../model/themes/keys.ts';
import { resolveTheme } from '../../model/themes/themes.ts';

/** Adds a theme to the account's list, or removes it. */
export const saveTheme = defineMethod('account.saveTheme', async ({ theme, unsave }, call) => {
  const { tx, account, date } = call;
  const { record, raw } = await resolveTheme(call, theme);
  const { id } = record;
  if (unsave) {
    tx.zrem(ownThemesKey(account.userId), id);
    tx.srem(themeUsersKey(id), account.userId);
  } else {
    tx.expectField(THEMES, id, raw);
    tx.zadd(ownThemesKey(account.userId), date, id);
    tx.sadd(themeUsersKey(id), account.userId);
  }
  return true;
});

export const example: Example<'account.saveTheme'> = (context) => ({
  theme: ownTheme(context),
  unsave: false,
});
