import { listMethods } from '../../tl/methods.ts';

/** The most characters of a search. */
export const SEARCH_MAX = 64;

/** A method with its searched texts, in lower case. */
interface Searched {
  name: string;
  shortName: string;
  lowerName: string;
  text: string;
}

let all: readonly Searched[] | undefined;

/** The words of a search: runs of letters and digits, each once. */
export function wordsOf(search: string): string[] {
  return [...new Set(search.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])];
}

/**
 * The methods that have every word of a search in their name or purpose, each prefixed with the digit of its rank: 0 if the words are its
 * name, 1 if its name contains them, 2 for the others. Sorted, so that it can be read page by page. Without words all methods are found.
 */
export function rankMethods(words: readonly string[]): string[] {
  all ??= listMethods().map(({ name, purpose }) => {
    const lowerName = name.toLowerCase();
    const shortName = lowerName.slice(lowerName.indexOf('.') + 1);
    return { name, lowerName, shortName, text: `${lowerName} ${purpose.toLowerCase()}` };
  });
  const wanted = [words.join('.'), words.join('')];
  return all
    .filter(({ text }) => words.every((word) => text.includes(word)))
    .map((method) => `${rankOf(method, words, wanted)}${method.name}`)
    .sort();
}

/** The name after the rank. */
export function nameOf(ranked: string): string {
  return ranked.slice(1);
}

function rankOf({ lowerName, shortName }: Searched, words: readonly string[], wanted: string[]): number {
  if (wanted.includes(lowerName) || wanted.includes(shortName)) return 0;
  return words.every((word) => lowerName.includes(word)) ? 1 : 2;
}
