/** What a reference within a document leads to; undefined if there is nothing. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into documents of any shape
export function find(document: object, reference: string): any {
  return (
    reference
      .slice('#/'.length)
      .split('/')
      // biome-ignore lint/suspicious/noExplicitAny: tests look into documents of any shape
      .reduce((found: any, name) => found?.[name], document)
  );
}

/** How many values there are when every reference is followed to its end; infinite where that is recursion. */
export function countValues(document: object, root: unknown): number {
  const known = new Map<string, number>();
  const count = (value: unknown): number => {
    if (typeof value !== 'object' || value === null) return 1;
    const { $ref } = value as { $ref?: string };
    if ($ref === undefined) return Object.values(value).reduce<number>((sum, each) => sum + count(each), 1);
    const size = known.get($ref);
    if (size !== undefined) return size;
    known.set($ref, Number.POSITIVE_INFINITY);
    const counted = count(find(document, $ref));
    known.set($ref, counted);
    return counted;
  };
  return count(root);
}
