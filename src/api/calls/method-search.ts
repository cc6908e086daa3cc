import { listMethods } from '../../tl/methods.ts';

/** The most characters of a search. */
export const SEARCH_MAX = 64;

/** A method with the texts that are searched, in lower case. */
interface SearchedMethod {
  name: string;
  lowerName: string;
  /** `lowerName` without its namespace. */
  shortName: string;
  /** Its name and purpose. */
  text: string;
}

let all: readonly SearchedMethod[] | undefined;

/** The words of a search: runs of letters and digits, each once. */
export function wordsOf(search: string): string[] {
  return [...new Set(search.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])];
}

/**
 * Finds the methods that have every word of a search in their name or purpose; all methods if there are no words. Returns their names, each
 * after one digit, its rank: 0 if the words are the name, 1 if the name contains them, 2 otherwise. They are sorted, so that pages can be
 * cut from them.
 */
export function rankMethods(words: readonly string[]): string[] {
  all ??= listMethods().map(({ name, purpose }) => {
    const lowerName = name.toLowerCase();
    const shortName = lowerName.slice(lowerName.indexOf('.') + 1);
    return { name, lowerName, shortName, text: `${lowerName} ${purpose.toLowerCase()}` };
  });
  const joined = [words.join('.'), words.join('')];
  return all
    .filter(({ text }) => words.every((word) => text.includes(word)))
    .map((method) => `${rankOf(method, words, joined)}${method.name}`)
    .sort();
}

/** The name of a method that `rankMethods` returned. */
export function nameOf(ranked: string): string {
  return ranked.slice(1);
}

function rankOf(
  { lowerName, shortName }: SearchedMethod,
  words: readonly string[],
  joined: readonly string[],
): number {
  if (joined.includes(lowerName) || joined.includes(shortName)) return 0;
  return words.every((word) => lowerName.includes(word)) ? 1 : 2;
}
