import { defineMethod } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { THEME_FORMAT } from '../../examples/seeded-things.ts';
import { hashOfIds } from '../../model/common/list-hash.ts';
import { pageBudget } from '../../model/common/read-budget.ts';
import { ownThemesKey } from '../../model/themes/keys.ts';
import {
  countInstalls,
  type FoundTheme,
  findThemes,
  readThemeFormat,
  toTlTheme,
} from '../../model/themes/themes.ts';

const THEMES_MAX = 100;

/**
 * The themes in the account's list, the latest first, as many as fit an answer; `account.themesNotModified` for a client that already has
 * the current list.
 */
export const getThemes = defineMethod('account.getThemes', async (params, call) => {
  const format = readThemeFormat(params.format);
  const { tx, account } = call;
  const ids = await tx.read.zrevrange(tx.key(ownThemesKey(account.userId)), 0, THEMES_MAX - 1);
  const [found, installs] = await Promise.all([
    findThemes(call, ids, pageBudget()),
    countInstalls(call, ids),
  ]);
  const themes = found.flatMap((theme, i) => (theme ? [{ theme, installs: installs[i] ?? 0 }] : []));
  const hash = hashOfIds(themes.flatMap(({ theme, installs }) => stateOf(theme, installs)));
  if (params.hash !== '0' && params.hash === hash) return { _: 'account.themesNotModified' };
  return {
    _: 'account.themes',
    hash,
    themes: themes.map(({ theme, installs }) => toTlTheme(theme.record, account.userId, installs, format)),
  };
});

function stateOf({ record }: FoundTheme, installs: number): (string | number)[] {
  return [record.id, record.version, installs];
}

export const example: Example<'account.getThemes'> = () => ({ format: THEME_FORMAT, hash: '0' });
