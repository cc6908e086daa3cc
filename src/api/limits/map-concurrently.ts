/**
 * Maps items with an async function, at most `max` at once. Returns the results in the items' order. Rejects with the first error; the
 * other items are still mapped, one fewer at once after each error, and none after `max` errors.
 */
export async function mapConcurrently<Item, Result>(
  items: readonly Item[],
  max: number,
  act: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results = new Array<Result>(items.length);
  const waiting = items.entries();
  const mapNext = async () => {
    for (const [index, item] of waiting) results[index] = await act(item, index);
  };
  await Promise.all(Array.from({ length: Math.min(max, items.length) }, mapNext));
  return results;
}
