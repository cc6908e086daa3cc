type Settled<Values extends readonly unknown[]> = {
  -readonly [Index in keyof Values]: Awaited<Values[Index]>;
};

/**
 * Waits for all values like `Promise.all`. Values that are no promises take no time; `Promise.all` makes two promises of each and waits for
 * them.
 */
export async function allOf<const Values extends readonly unknown[]>(
  values: Values,
): Promise<Settled<Values>> {
  const settled = [...values];
  const pending: number[] = [];
  for (let i = 0; i < values.length; i += 1) if (values[i] instanceof Promise) pending.push(i);
  if (pending.length === 1) settled[pending[0] as number] = await values[pending[0] as number];
  else if (pending.length > 1) {
    const found = await Promise.all(pending.map((i) => values[i]));
    for (const [at, i] of pending.entries()) settled[i] = found[at];
  }
  return settled as Settled<Values>;
}
