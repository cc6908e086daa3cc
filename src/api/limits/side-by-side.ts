/** Does the same with each item, at most so many side by side, and gives the results in their order. */
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
