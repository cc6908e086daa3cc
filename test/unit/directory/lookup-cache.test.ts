import { expect, test } from 'vitest';
import { LookupCache } from '../../../src/directory/lookup-cache.ts';

function countingCache(capacity = 10) {
  const freshness = { since: 0, isFresh: (askedAt: number) => askedAt >= freshness.since };
  const loads: string[] = [];
  const values = new Map<string, string>();
  const cache = new LookupCache<string>(
    async (name) => {
      loads.push(name);
      const value = values.get(name) ?? null;
      await new Promise((resolve) => setTimeout(resolve, 5));
      return value;
    },
    capacity,
    freshness,
  );
  return { cache, loads, values, freshness };
}

test('looks a name up once, also for those who ask meanwhile', async () => {
  const { cache, loads, values } = countingCache();
  values.set('a', '1');
  expect(cache.peek('a')).toBeUndefined();
  expect(await Promise.all([cache.find('a'), cache.find('a'), cache.find('a')])).toEqual(['1', '1', '1']);
  expect(cache.peek('a')).toBe('1');
  expect(loads).toEqual(['a']);
});

test('remembers what is fresh, counted from the question', async () => {
  const { cache, values, freshness } = countingCache();
  values.set('a', '1');
  const before = performance.now();
  await cache.find('a');
  const asked = cache.find('b');
  const after = performance.now() + 1;
  await asked;
  expect([cache.peek('a'), cache.peek('b')]).toEqual(['1', null]);
  freshness.since = before;
  expect([cache.peek('a'), cache.peek('b')]).toEqual(['1', null]);
  freshness.since = after;
  expect([cache.peek('a'), cache.peek('b')]).toEqual([undefined, undefined]);
  expect(await cache.find('a')).toBe('1');
  expect(cache.peek('a')).toBe('1');
});

test('what was forgotten during its look-up is not remembered', async () => {
  const { cache, values } = countingCache();
  values.set('a', 'old');
  const asked = cache.find('a');
  values.set('a', 'new');
  cache.forget('a');
  const askedAgain = cache.find('a');
  expect(await asked).toBe('old');
  expect(await askedAgain).toBe('new');
  expect(cache.peek('a')).toBe('new');
});

test('a flood of wrong names does not push out the right ones', async () => {
  const { cache, values } = countingCache(10);
  values.set('right', '1');
  await cache.find('right');
  await Promise.all(Array.from({ length: 100 }, (_, index) => cache.find(`wrong ${index}`)));
  expect(cache.peek('right')).toBe('1');
});

test('a failed look-up is reported to everyone who asked, and forgotten', async () => {
  let fails = true;
  const cache = new LookupCache<string>(
    async () => {
      if (fails) throw new Error('away');
      return 'back';
    },
    10,
    { isFresh: () => true },
  );
  const answers = await Promise.allSettled([cache.find('a'), cache.find('a')]);
  expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  fails = false;
  expect(await cache.find('a')).toBe('back');
});
