import { randomBytes } from 'node:crypto';
import type { tl } from '@mtcute/core';
import type { TlJson } from '../../../../src/tl/tl-json.ts';
import { type CallContext, MessengerError } from '../../../driver.ts';
import type { ReadBudget } from '../common/read-budget.ts';
import { findGivenDocument } from '../files/given-document.ts';
import { THEME_INSTALLS, THEME_SLUGS, THEMES } from './keys.ts';

type InputTheme = TlJson<tl.TypeInputTheme>;
type InputDocument = TlJson<tl.TypeInputDocument>;

export type TlTheme = TlJson<tl.RawTheme>;

/** A stored theme, without the number of its installations. */
export interface ThemeRecord {
  id: string;
  accessHash: string;
  slug: string;
  title: string;
  creatorId: number;
  settings: TlJson<tl.RawThemeSettings>[];
  emoticon?: string;
  /** Its file for each format. */
  documents: Partial<Record<ThemeFormat, TlJson<tl.RawDocument>>>;
  version: number;
}

/** A theme with its stored text. */
export interface FoundTheme {
  record: ThemeRecord;
  raw: string;
}

const FORMATS = ['android', 'ios', 'tdesktop', 'macos', 'web', 'webk', 'weba'] as const;

export type ThemeFormat = (typeof FORMATS)[number];

const MIME_TYPE = /^application\/x-tgtheme-([a-z]+)$/;
const SLUG = /^[A-Za-z0-9_-]{3,64}$/;
const TITLE_MAX = 128;
// The length of a theme with its settings and its files, as JSON: a list has a hundred of them.
const JSON_LENGTH_MAX = 16_000;

/** The theme an `InputTheme` names. Errors: `THEME_INVALID`, `THEME_SLUG_INVALID` for a slug nobody uses. */
export async function resolveTheme(call: CallContext, theme: InputTheme): Promise<FoundTheme> {
  if (theme._ === 'inputTheme') {
    const found = await findTheme(call, theme.id);
    if (!found || (call.account.strictPeers && found.record.accessHash !== theme.accessHash))
      throw new MessengerError('THEME_INVALID');
    return found;
  }
  const id = await call.tx.read.hget(call.tx.key(THEME_SLUGS), theme.slug.toLowerCase());
  const found = id === null ? null : await findTheme(call, id);
  if (!found) throw new MessengerError('THEME_SLUG_INVALID');
  return found;
}

/** Takes a slug for a theme, a random one if none is given. Error: `THEME_SLUG_INVALID` for a malformed or taken one. */
export async function takeSlug(call: CallContext, wanted: string, themeId: string): Promise<string> {
  const slug = wanted === '' ? randomBytes(8).toString('hex') : wanted;
  refuseMalformedSlug(slug);
  if ((await call.tx.observe(THEME_SLUGS, slug.toLowerCase())) !== null)
    throw new MessengerError('THEME_SLUG_INVALID');
  call.tx.hset(THEME_SLUGS, slug.toLowerCase(), themeId);
  return slug;
}

/** Throws `THEME_SLUG_INVALID` for a slug that no theme can have. */
export function refuseMalformedSlug(slug: string): void {
  if (!SLUG.test(slug)) throw new MessengerError('THEME_SLUG_INVALID');
}

/** A theme's title, trimmed. Error: `THEME_TITLE_INVALID` for an empty one or one of more than 128 characters. */
export function readThemeTitle(title: string): string {
  const trimmed = title.trim();
  if (trimmed === '' || trimmed.length > 2 * TITLE_MAX || [...trimmed].length > TITLE_MAX)
    throw new MessengerError('THEME_TITLE_INVALID');
  return trimmed;
}

/** A format by its name. Error: `THEME_FORMAT_INVALID`. */
export function readThemeFormat(name: string): ThemeFormat {
  const format = FORMATS.find((one) => one === name);
  if (!format) throw new MessengerError('THEME_FORMAT_INVALID');
  return format;
}

/** An uploaded theme file under its format. Errors: `DOCUMENT_INVALID`, `THEME_MIME_INVALID` for a file that is not a theme. */
export async function resolveThemeDocument(
  call: CallContext,
  input: InputDocument,
): Promise<ThemeRecord['documents']> {
  const found = input._ === 'inputDocument' ? await findGivenDocument(call, input) : null;
  if (!found) throw new MessengerError('DOCUMENT_INVALID');
  return { [formatOfMime(found.document.mimeType)]: found.document };
}

/** The format of a theme file. Error: `THEME_MIME_INVALID`. */
export function formatOfMime(mimeType: string): ThemeFormat {
  const name = MIME_TYPE.exec(mimeType)?.[1];
  const format = FORMATS.find((one) => one === name);
  if (!format) throw new MessengerError('THEME_MIME_INVALID');
  return format;
}

/** Throws `THEME_PARAMS_INVALID` for a theme of more than 16,000 characters of JSON, such as one with long names of files. */
export function refuseLargeTheme(record: ThemeRecord): void {
  if (JSON.stringify(record).length > JSON_LENGTH_MAX) throw new MessengerError('THEME_PARAMS_INVALID');
}

/** The themes of these ids; null for those that do not exist, and, with a budget, for the first that exceeds it and all after it. */
export async function findThemes(
  call: CallContext,
  ids: readonly string[],
  budget: ReadBudget = { left: Number.POSITIVE_INFINITY },
): Promise<(FoundTheme | null)[]> {
  if (ids.length === 0) return [];
  const found = await call.tx.read.hmget(call.tx.key(THEMES), ...ids);
  return found.map((raw) => {
    const length = raw?.length ?? 0;
    budget.left -= length;
    call.tx.charactersRead += length;
    return raw === null || budget.left < 0 ? null : { record: JSON.parse(raw) as ThemeRecord, raw };
  });
}

/** How many accounts have installed each of these themes. */
export async function countInstalls(call: CallContext, ids: readonly string[]): Promise<number[]> {
  if (ids.length === 0) return [];
  const found = await call.tx.read.hmget(call.tx.key(THEME_INSTALLS), ...ids);
  return found.map((count) => Number(count ?? 0));
}

/** The theme as a TL object for one viewer, with its file for a format (null: any). */
export function toTlTheme(
  record: ThemeRecord,
  viewerId: number,
  installsCount: number,
  format: ThemeFormat | null,
): TlTheme {
  const { id, accessHash, slug, title, settings, emoticon, documents } = record;
  const document = format === null ? Object.values(documents)[0] : documents[format];
  return {
    _: 'theme',
    ...(record.creatorId === viewerId ? { creator: true } : {}),
    id,
    accessHash,
    slug,
    title,
    document: document ?? { _: 'documentEmpty', id: '0' },
    ...(settings.length > 0 ? { settings } : {}),
    ...(emoticon === undefined ? {} : { emoticon }),
    installsCount,
  };
}

async function findTheme(call: CallContext, id: string): Promise<FoundTheme | null> {
  return (await findThemes(call, [id]))[0] ?? null;
}
