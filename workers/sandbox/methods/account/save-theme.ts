import { defineMethod } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { ownTheme } from '../../examples/seeded-things.ts';
import { ownThemesKey, THEMES, themeUsersKey, unlistedThemesKey } from '../../model/themes/keys.ts';
import { leaveTheme } from '../../model/themes/leave-theme.ts';
import { resolveTheme } from '../../model/themes/themes.ts';

/**
 * Adds a theme to the account's list, or removes it. A theme whose creator was reset or deleted is gone once nobody has it in its list.
 */
export const saveTheme = defineMethod('account.saveTheme', async ({ theme, unsave }, call) => {
  const { tx, account, date } = call;
  const found = await resolveTheme(call, theme);
  const { record, raw } = found;
  const { id } = record;
  if (unsave) {
    tx.zrem(ownThemesKey(account.userId), id);
    if (record.creatorId === account.userId) tx.sadd(unlistedThemesKey(account.userId), id);
    else await leaveTheme(call, found, account.userId);
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
