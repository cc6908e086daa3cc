import { defineMethod } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { ownTheme, THEME_FORMAT } from '../../examples/seeded-things.ts';
import { installedKey, THEME_INSTALLS } from '../../model/themes/keys.ts';
import { listTheme } from '../../model/themes/list-theme.ts';
import { readThemeFormat, resolveTheme } from '../../model/themes/themes.ts';

/** Installs a theme, which counts once for each account and is in its list then; without a theme, the account returns to a base theme. */
export const installTheme = defineMethod('account.installTheme', async (params, call) => {
  const { tx, account } = call;
  if (params.format !== undefined) readThemeFormat(params.format);
  if (!params.theme) return true;
  const found = await resolveTheme(call, params.theme);
  const { id } = found.record;
  const installed = installedKey(account.userId);
  const known = await tx.read.sismember(tx.key(installed), id);
  tx.expectMember(installed, id, known === 1);
  if (known === 0) {
    tx.sadd(installed, id);
    tx.hincrby(THEME_INSTALLS, id, 1);
  }
  listTheme(call, found);
  return true;
});

export const example: Example<'account.installTheme'> = (context) => ({
  theme: ownTheme(context),
  format: THEME_FORMAT,
});
