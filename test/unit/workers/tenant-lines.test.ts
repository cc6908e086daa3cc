import { expect, it } from 'vitest';
import { TenantLines } from '../../../workers/turns/tenant-lines.ts';

function takeAll(lines: TenantLines<string>): string {
  const taken: string[] = [];
  while (!lines.isEmpty) taken.push(lines.shift() as string);
  return taken.join(' ');
}

it('takes the first of each tenant before the rest of all, and the rest as it came', () => {
  const lines = new TenantLines<string>();
  for (const item of ['a1', 'a2', 'a3', 'b1', 'a4', 'b2', 'c1']) lines.push(item.slice(0, 1), item);
  expect(takeAll(lines)).toBe('a1 b1 c1 a2 a3 a4 b2');
  expect(lines.shift()).toBeUndefined();
});

it('lets a tenant of whom nothing waits any more go first again', () => {
  const lines = new TenantLines<string>();
  for (const item of ['a1', 'a2', 'a3', 'b1']) lines.push(item.slice(0, 1), item);
  expect([lines.shift(), lines.shift()]).toEqual(['a1', 'b1']);
  lines.push('b', 'b2');
  lines.push('a', 'a4');
  expect(takeAll(lines)).toBe('b2 a2 a3 a4');
});

it('keeps nothing of what is gone', () => {
  const lines = new TenantLines<number>();
  for (let round = 0; round < 3; round += 1) {
    for (let item = 0; item < 1_000; item += 1) lines.push(String(item % 7), item);
    expect(new Set(Array.from({ length: 1_000 }, () => lines.shift())).size).toBe(1_000);
    expect(lines.isEmpty).toBe(true);
  }
});
