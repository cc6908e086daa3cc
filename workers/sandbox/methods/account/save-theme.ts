import { defineMethod } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { ownTheme } from '../../examples/seeded-things.ts';
import { ownThemesKey, unlistedThemesKey } from '../../model/themes/keys.ts';
import { leaveTheme } from '../../model/themes/leave-theme.ts';
import { listTheme } from '../../model/themes/list-theme.ts';
import { resolveTheme } from '../../model/themes/themes.ts';

/**
 * Adds a theme to the account's list, or removes it. A theme whose creator was reset or deleted is gone once nobody has it in its list.
 */
export const saveTheme = defineMethod('account.saveTheme', async ({ theme, unsave }, call) => {
  const { tx, account } = call;
  const found = await resolveTheme(call, theme);
  const { id, creatorId } = found.record;
  if (unsave) {
    tx.zrem(ownThemesKey(account.userId), id);
    if (creatorId === account.userId) tx.sadd(unlistedThemesKey(account.userId), id);
    else await leaveTheme(call, found, account.userId);
  } else listTheme(call, found);
  return true;
});

export const example: Example<'account.saveTheme'> = (context) => ({
  theme: ownTheme(context),
  unsave: false,
});
