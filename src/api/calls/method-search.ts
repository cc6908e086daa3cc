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

// Made by the first search.
let searchedMethods: readonly SearchedMethod[] | undefined;

/** The words of a search: runs of letters and digits, each once. */
export function wordsOf(search: string): string[] {
  return [...new Set(search.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])];
}

/**
 * Finds the methods that have every word of a search in their name or purpose; all methods if there are no words. Returns ranked names: a
 * name behind a digit, which is 0 if the words are the name, 1 if the name contains them, and 2 otherwise. They are sorted as texts, so
 * that a page can begin after any of them.
 */
export function rankMethods(words: readonly string[]): string[] {
  searchedMethods ??= listMethods().map(({ name, purpose }) => {
    const lowerName = name.toLowerCase();
    const shortName = lowerName.slice(lowerName.indexOf('.') + 1);
    return { name, lowerName, shortName, text: `${lowerName} ${purpose.toLowerCase()}` };
  });
  // What `messages.sendMessage` or `sendMessage` is when it is searched for.
  const possibleNames = [words.join('.'), words.join('')];
  return searchedMethods
    .filter(({ text }) => words.every((word) => text.includes(word)))
    .map((method) => `${rankOf(method, words, possibleNames)}${method.name}`)
    .sort();
}

/** The method name in a ranked name of `rankMethods`. */
export function methodNameOf(rankedName: string): string {
  return rankedName.slice(1);
}

function rankOf(
  { lowerName, shortName }: SearchedMethod,
  words: readonly string[],
  possibleNames: readonly string[],
): number {
  if (possibleNames.includes(lowerName) || possibleNames.includes(shortName)) return 0;
  return words.every((word) => lowerName.includes(word)) ? 1 : 2;
}
