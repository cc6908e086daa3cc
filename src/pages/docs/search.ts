import type { Operation } from './reference.ts';

const FOUND_MAX = 50;

/** The operations that match a search, the best first. */
export function search(operations: readonly Operation[], text: string): Operation[] {
  const words = text.toLowerCase().match(/[a-z0-9_]+/g) ?? [];
  if (words.length === 0) return [];
  return operations
    .map((operation) => ({ operation, rank: rankOf(operation, words) }))
    .filter(({ rank }) => rank !== null)
    .sort(
      (one, other) =>
        Number(one.rank) - Number(other.rank) || one.operation.id.length - other.operation.id.length,
    )
    .slice(0, FOUND_MAX)
    .map(({ operation }) => operation);
}

function rankOf(operation: Operation, words: string[]): number | null {
  const id = operation.id.toLowerCase();
  const name = id.slice(id.indexOf('.') + 1);
  const title = operation.title.toLowerCase();
  const wanted = words.join('');
  if (name === wanted || id === words.join('.')) return 0;
  if (name.startsWith(wanted) || title.startsWith(words.join(' '))) return 1;
  if (words.every((word) => id.includes(word))) return 2;
  const shortText = `${id} ${operation.summary} ${operation.verb} ${operation.path}`.toLowerCase();
  if (words.every((word) => shortText.includes(word))) return 3;
  const fullText = `${shortText} ${operation.description} ${fieldsOf(operation)}`.toLowerCase();
  if (words.every((word) => fullText.includes(word))) return 4;
  // With a letter left out.
  return wanted.length > 3 && isWithin(wanted, name) ? 5 : null;
}

function fieldsOf({ body, parameters }: Operation): string {
  const members = body?.schema?.properties ?? {};
  const fields = { ...members, ...members.params?.properties };
  return [...Object.keys(fields), ...parameters.map(({ name }) => name)].join(' ');
}

/** Whether the letters of `part` are in `whole`, in their order. */
function isWithin(part: string, whole: string): boolean {
  let at = -1;
  return [...part].every((letter) => {
    at = whole.indexOf(letter, at + 1);
    return at >= 0;
  });
}
