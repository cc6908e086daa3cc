import type { tl } from '@mtcute/core';
import type { TlJson } from '../../../../../src/tl/tl-json.ts';

export type RichText = TlJson<tl.TypeRichText>;
export type PageBlock = TlJson<tl.TypePageBlock>;

/** Joins texts: adjacent plain texts are merged, empty ones removed. */
export function concat(texts: readonly RichText[]): RichText {
  const joined: RichText[] = [];
  for (const text of texts) {
    const last = joined.at(-1);
    if (text._ === 'textEmpty' || (text._ === 'textPlain' && text.text === '')) continue;
    if (text._ === 'textPlain' && last?._ === 'textPlain') {
      joined[joined.length - 1] = {
        _: 'textPlain',
        text: last.text + text.text,
      };
    } else joined.push(text);
  }
  if (joined.length === 0) return { _: 'textEmpty' };
  return joined.length === 1 ? (joined[0] as RichText) : { _: 'textConcat', texts: joined };
}

/** Whether there is more to see of a text than white space. */
export function isVisible(text: RichText): boolean {
  if (text._ === 'textEmpty') return false;
  if (text._ === 'textPlain') return /\S/.test(text.text);
  if (text._ === 'textConcat') return text.texts.some(isVisible);
  return !('text' in text) || isVisible(text.text);
}

/** Trims white space at the ends of a text, as in a block. */
export function trim(texts: readonly RichText[]): RichText {
  const joined = concat(texts);
  const parts = joined._ === 'textConcat' ? [...joined.texts] : [joined];
  const first = parts[0];
  if (first?._ === 'textPlain') parts[0] = { _: 'textPlain', text: first.text.trimStart() };
  const last = parts.at(-1);
  if (last?._ === 'textPlain') parts[parts.length - 1] = { _: 'textPlain', text: last.text.trimEnd() };
  return concat(parts);
}
