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

test('starves nobody beside tenants of which one request waits now and then', () => {
  const lanes = new TenantLanes<string>(10, () => undefined);
  const sparse = Array.from({ length: 9 }, (_, index) => `sparse ${index}`);
  for (let at = 0; at < 50; at += 1) lanes.add('busy', 'busy');
  for (const tenant of sparse) lanes.add(tenant, tenant);
  const taken: string[] = [];
  for (let at = 0; at < 400; at += 1) {
    const one = lanes.take() as string;
    taken.push(one);
    // As soon as one has begun the next of that tenant comes.
    if (one !== 'busy') lanes.add(one, one);
  }
  for (let round = 0; round < 400; round += 10)
    expect(taken.slice(round, round + 10).toSorted()).toEqual(['busy', ...sparse]);
});

test('has a tenant that had as many under way as it may begin behind those that wait', () => {
  const lanes = new TenantLanes<string>(1, () => undefined);
  const taken: (string | undefined)[] = [];
  for (const one of ['a1', 'a2', 'a3']) lanes.add('a', one);
  for (const one of ['b1', 'b2']) lanes.add('b', one);
  for (let at = 0; at < 3; at += 1) {
    taken.push(lanes.take());
    const turn = lanes.begin('a');
    taken.push(lanes.take());
    lanes.end(turn);
  }
  expect(taken).toEqual(['a1', 'b1', 'b2', undefined, 'a2', undefined]);
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
