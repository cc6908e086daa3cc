import { listMethods } from './methods.ts';
import { suggestName } from './suggest-name.ts';

// A bare name may be that of methods of several namespaces.
const SUGGESTED_MAX = 3;

// With more wrong letters it is another name, and comparing takes longer with each letter that may be wrong.
const WRONG_MAX = 3;

let full: readonly string[] | undefined;
let bare: readonly string[] | undefined;

/**
 * The methods that were probably meant by an unknown name: misspelt, in another case, without its namespace or with a wrong one. At most
 * three, none for a name that is like no other. It takes tenths of a millisecond.
 */
export function suggestMethods(wrong: string): string[] {
  full ??= listMethods().map(({ name }) => name);
  bare ??= [...new Set(full.map(bareName))];
  const own = bareName(wrong);
  const namesakes = own === wrong ? methodsCalled(own) : [];
  if (namesakes.length > 0) return namesakes;
  const like = suggestName(wrong, full, WRONG_MAX);
  return like === null ? methodsCalled(suggestName(own, bare, WRONG_MAX)) : [like];
}

function methodsCalled(name: string | null): string[] {
  const wanted = name?.toLowerCase();
  const found = (full ?? []).filter((one) => bareName(one).toLowerCase() === wanted);
  return found.slice(0, SUGGESTED_MAX);
}

function bareName(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}
