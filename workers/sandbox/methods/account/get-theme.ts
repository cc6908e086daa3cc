import { defineMethod } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { ownTheme, THEME_FORMAT } from '../../examples/seeded-things.ts';
import { countInstalls, readThemeFormat, resolveTheme, toTlTheme } from '../../model/themes/themes.ts';

/** A theme, with its file for the format if it has one. */
export const getTheme = defineMethod('account.getTheme', async (params, call) => {
  const format = readThemeFormat(params.format);
  const { record } = await resolveTheme(call, params.theme);
  const [installs = 0] = await countInstalls(call, [record.id]);
  return toTlTheme(record, call.account.userId, installs, format);
});

export const example: Example<'account.getTheme'> = (context) => ({
  format: THEME_FORMAT,
  theme: ownTheme(context),
});
