import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ReadFrom, readUpdates } from '../../../src/updates/read-updates.ts';
import { TestApi } from '../../support/api/api.ts';
import { appendUpdates } from '../../support/api/append-update.ts';

// Near the most that a call may write.
const HUGE = 1_000_000;

let api: TestApi;
beforeAll(async () => {
  api = await TestApi.start();
});
afterAll(() => api.stop());

/** How many updates each read gives, until there are no more. */
async function readAll(workspaceId: string): Promise<number[]> {
  const counts: number[] = [];
  const found: number[] = [];
  let from: ReadFrom = 'beginning';
  for (;;) {
    const batch = await readUpdates(api.redis, workspaceId, from);
    counts.push(batch.entries.length);
    found.push(...batch.entries.map(({ json }): number => JSON.parse(json).update.value.number));
    if (batch.upToDate) break;
    from = { offset: batch.next };
  }
  expect(found).toEqual(found.map((_, index) => index));
  return counts;
}

test('huge updates come a few at a time', async () => {
  const { workspaceId } = await api.aTenant();
  const filling = 'x'.repeat(HUGE);
  for (let number = 0; number < 10; number++)
    await appendUpdates(api.redis, workspaceId, [{ value: { number, filling } }]);
  const counts = await readAll(workspaceId);
  expect(counts.reduce((sum, count) => sum + count)).toBe(10);
  expect(Math.max(...counts)).toBeLessThanOrEqual(4);
});

test('small updates come a thousand at a time', async () => {
  const { workspaceId } = await api.aTenant();
  for (let from = 0; from < 2_100; from += 210) {
    const values = Array.from({ length: 210 }, (_, index) => ({ value: { number: from + index } }));
    await appendUpdates(api.redis, workspaceId, values);
  }
  expect(await readAll(workspaceId)).toEqual([1_000, 1_000, 100]);
});
