/** Maps items with an async function, at most `most` at once. Returns the results in the items' order. */
export async function sideBySide<Item, Result>(
  items: readonly Item[],
  most: number,
  act: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results = new Array<Result>(items.length);
  const waiting = items.entries();
  const line = async () => {
    for (const [index, item] of waiting) results[index] = await act(item, index);
  };
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, line));
  return results;
}
