import type { CallContext } from '../../../driver.ts';
import { readLimit } from './history-window.ts';

/** A page of a sorted set whose members are ordered by a date, newest first. */
export interface DatedPage<Member extends string> {
  members: Member[];
  total: number;
  isWhole: boolean;
}

/**
 * The page after the last member of the page before, by the date that it had then (0: starts with the newest). Members that have moved up
 * since are not shown again, and no member is skipped. Members of `without`, all of which are in the set, are left out.
 */
export async function readDatedPage<Member extends string>(
  call: CallContext,
  name: string,
  {
    offsetDate,
    after,
    limit: asked,
    without = new Set(),
  }: { offsetDate: number; after: Member | null; limit: number; without?: ReadonlySet<string> },
): Promise<DatedPage<Member>> {
  const limit = readLimit(asked);
  const { read } = call.tx;
  const key = call.tx.key(name);
  const [all, start] = await Promise.all([read.zcard(key), findStart(call, key, offsetDate, after)]);
  const found = limit > 0 ? await read.zrevrange(key, start, start + limit + without.size - 1) : [];
  const members = found.filter((member) => !without.has(member)).slice(0, limit);
  const total = all - without.size;
  return { members: members as Member[], total, isWhole: members.length === total };
}

async function findStart(
  call: CallContext,
  key: string,
  offsetDate: number,
  after: string | null,
): Promise<number> {
  const { read } = call.tx;
  if (offsetDate <= 0) {
    const rank = after === null ? null : await read.zrevrank(key, after);
    return rank === null ? 0 : rank + 1;
  }
  const [newer, upTo, score, rank] = await Promise.all([
    read.zcount(key, `(${offsetDate}`, '+inf'),
    read.zcount(key, offsetDate, '+inf'),
    after === null ? null : read.zscore(key, after),
    after === null ? null : read.zrevrank(key, after),
  ]);
  if (after === null) return upTo;
  if (rank !== null && Number(score) === offsetDate) return rank + 1;
  return findRank(call, key, after, [newer, upTo]);
}

// The rank that a moved member would have: members with the same date are in reverse order of their text.
async function findRank(
  call: CallContext,
  key: string,
  member: string,
  [from, to]: [number, number],
): Promise<number> {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const [found = ''] = await call.tx.read.zrevrange(key, middle, middle);
    if (found >= member) low = middle + 1;
    else high = middle;
  }
  return low;
}
