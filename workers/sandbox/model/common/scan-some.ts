import type { CallContext } from '../../../driver.ts';

// Redis ends a scan after ten times as many places, though it has found nothing there.
const PER_SCAN = 100;

/** `count` fields of a hash, or all if it has fewer, also if what stood in front was removed. */
export function someFields({ tx }: CallContext, name: string, count: number): Promise<string[]> {
  const key = tx.key(name);
  return scanSome(count, async (cursor) => {
    const [next, found] = await tx.read.hscan(key, cursor, 'COUNT', PER_SCAN);
    return [next, found.filter((_, i) => i % 2 === 0)];
  });
}

/** The same for the members of a set. */
export function someMembers({ tx }: CallContext, name: string, count: number): Promise<string[]> {
  const key = tx.key(name);
  return scanSome(count, (cursor) => tx.read.sscan(key, cursor, 'COUNT', PER_SCAN));
}

async function scanSome(
  count: number,
  scan: (cursor: string) => Promise<[next: string, found: string[]]>,
): Promise<string[]> {
  // While Redis resizes a hash, it may give an entry twice.
  const entries = new Set<string>();
  let cursor = '0';
  do {
    const [next, found] = await scan(cursor);
    for (const entry of found) entries.add(entry);
    cursor = next;
  } while (cursor !== '0' && entries.size < count);
  return [...entries].slice(0, count);
}
