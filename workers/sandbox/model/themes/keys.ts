/**
 * The keys of themes. The letters are those of `common/keys.ts`.
 *
 *   themes              hash: theme id T -> ThemeRecord
 *   theme-slugs         hash: lower-case slug -> T
 *   theme-installs      hash: T -> number of accounts that installed it
 *   theme-turns         hash: T -> how often somebody has taken the theme into its list
 *   theme-users:T       set: U of everybody who has the theme in its list, and its creator; without any, the theme is removed
 *   themes:U            sorted set: T of every theme in the user's list, by the time it came there
 *   unlisted-themes:U   set: T of every theme that the user has created, and has taken from its list since
 *   installed:U         set: T of every theme the user has ever installed
 */
export const THEMES = 'themes';
export const THEME_SLUGS = 'theme-slugs';
export const THEME_INSTALLS = 'theme-installs';
export const THEME_TURNS = 'theme-turns';

export function themeUsersKey(themeId: string): string {
  return `theme-users:${themeId}`;
}

export function ownThemesKey(userId: number): string {
  return `themes:${userId}`;
}

export function unlistedThemesKey(userId: number): string {
  return `unlisted-themes:${userId}`;
}

export function installedKey(userId: number): string {
  return `installed:${userId}`;
}
