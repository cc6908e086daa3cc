import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { TenantLanes } from '../../../src/api/server/tenant-lanes.ts';

test('lets tenants take turns, however many one has waiting, in the order in which theirs came', () => {
  const lanes = new TenantLanes<string>(10, () => undefined);
  for (const one of ['a1', 'a2', 'a3', 'a4']) lanes.add('a', one);
  lanes.add('b', 'b1');
  const taken = [lanes.take(), lanes.take()];
  lanes.add('c', 'c1');
  lanes.add('b', 'b2');
  while (!lanes.isEmpty) taken.push(lanes.take());
  expect(taken).toEqual(['a1', 'b1', 'a2', 'c1', 'b2', 'a3', 'a4']);
  expect(lanes.take()).toBeUndefined();
});

test('has so many of a tenant under way, and others of it begin when one has ended or has taken long', async () => {
  let woken = 0;
  const lanes = new TenantLanes<string>(2, () => (woken += 1));
  const first = lanes.begin('a');
  lanes.begin('a');
  expect(lanes.mayBegin('a')).toBe(false);
  expect(lanes.mayBegin('b')).toBe(true);
  for (const one of ['a1', 'a2', 'a3']) lanes.add('a', one);
  expect(lanes.isEmpty).toBe(true);
  lanes.add('b', 'b1');
  expect([lanes.take(), lanes.take()]).toEqual(['b1', undefined]);
  lanes.end(first);
  lanes.end(first);
  expect(woken).toBe(1);
  expect(lanes.take()).toBe('a1');
  lanes.begin('a');
  expect(lanes.take()).toBeUndefined();
  await sleep(100);
  expect(woken).toBeGreaterThan(1);
  expect([lanes.take(), lanes.take(), lanes.take()]).toEqual(['a2', 'a3', undefined]);
});
