import type { tl } from '@mtcute/core';
import type { TlJson } from '../../../../src/tl/tl-json.ts';
import { MessengerError } from '../../../driver.ts';

type InputSettings = TlJson<tl.TypeInputThemeSettings>;
type Settings = TlJson<tl.RawThemeSettings>;
type WallPaper = TlJson<tl.TypeWallPaper>;

const MESSAGE_COLORS_MAX = 4;

// An emoji has fewer UTF-16 units.
const EMOTICON_MAX = 16;

/** The one wallpaper with an image that every workspace has. */
const CLASSIC_WALLPAPER: TlJson<tl.RawWallPaper> = {
  _: 'wallPaper',
  id: '1',
  default: true,
  accessHash: '1',
  slug: 'classic',
  document: { _: 'documentEmpty', id: '0' },
  settings: {
    _: 'wallPaperSettings',
    backgroundColor: 0xdbddbb,
    secondBackgroundColor: 0x6ba587,
    thirdBackgroundColor: 0xd5d88d,
    fourthBackgroundColor: 0x88b884,
    intensity: 50,
    rotation: 0,
    emoticon: '🏠',
  },
};

/** The settings of a theme that was created with a title only: the classic ones. */
export const CLASSIC_SETTINGS: Settings[] = [
  {
    _: 'themeSettings',
    baseTheme: { _: 'baseThemeClassic' },
    accentColor: 0x3390ec,
    outboxAccentColor: 0x4fae4e,
    messageColors: [0xeeffde],
    wallpaper: CLASSIC_WALLPAPER,
  },
];

/** The emoji of the classic theme. */
export const CLASSIC_EMOTICON = '🏠';

/**
 * The settings of a theme as TL shows them. Errors: `WALLPAPER_INVALID` also for an emoticon that is none, `THEME_PARAMS_INVALID` for two
 * settings of the same base theme.
 */
export function toThemeSettings(inputs: readonly InputSettings[]): Settings[] {
  const bases = new Set(inputs.map(({ baseTheme }) => baseTheme._));
  if (bases.size < inputs.length) throw new MessengerError('THEME_PARAMS_INVALID');
  return inputs.map((input) => {
    const { messageColorsAnimated, baseTheme, accentColor, outboxAccentColor, messageColors } = input;
    if ((messageColors?.length ?? 0) > MESSAGE_COLORS_MAX) throw new MessengerError('THEME_PARAMS_INVALID');
    const wallpaper = toWallPaper(input);
    return {
      _: 'themeSettings',
      ...(messageColorsAnimated ? { messageColorsAnimated } : {}),
      baseTheme,
      accentColor,
      ...(outboxAccentColor === undefined ? {} : { outboxAccentColor }),
      ...(messageColors ? { messageColors } : {}),
      ...(wallpaper ? { wallpaper } : {}),
    };
  });
}

function toWallPaper({ wallpaper, wallpaperSettings }: InputSettings): WallPaper | null {
  if (!wallpaper) return null;
  if ((wallpaperSettings?.emoticon ?? '').length > EMOTICON_MAX)
    throw new MessengerError('WALLPAPER_INVALID');
  const settings = wallpaperSettings ? { settings: wallpaperSettings } : {};
  if (wallpaper._ === 'inputWallPaperNoFile') return { _: 'wallPaperNoFile', id: wallpaper.id, ...settings };
  const isKnown =
    wallpaper._ === 'inputWallPaper'
      ? wallpaper.id === CLASSIC_WALLPAPER.id
      : wallpaper.slug === CLASSIC_WALLPAPER.slug;
  if (!isKnown) throw new MessengerError('WALLPAPER_INVALID');
  return { ...CLASSIC_WALLPAPER, ...settings };
}
