import { expect, it } from 'vitest';
import { TenantLines } from '../../../workers/turns/tenant-lines.ts';

function takeAll(lines: TenantLines<string>): string {
  const taken: string[] = [];
  while (!lines.isEmpty) taken.push(lines.shift() as string);
  return taken.join(' ');
}

it('takes one item of each tenant in turn', () => {
  const lines = new TenantLines<string>();
  for (const item of ['a1', 'a2', 'a3', 'b1', 'a4', 'b2', 'c1']) lines.push(item.slice(0, 1), item);
  expect(takeAll(lines)).toBe('a1 b1 c1 a2 b2 a3 a4');
  expect(lines.shift()).toBeUndefined();
});

it('lets a tenant with nothing waiting go first', () => {
  const lines = new TenantLines<string>();
  for (const item of ['a1', 'a2', 'b1', 'b2']) lines.push(item.slice(0, 1), item);
  expect([lines.shift(), lines.shift()]).toEqual(['a1', 'b1']);
  lines.push('c', 'c1');
  lines.push('c', 'c2');
  expect(takeAll(lines)).toBe('c1 a2 b2 c2');
});

it('does not let tenants whose next item comes when the last is taken hold up one with several', () => {
  const lines = new TenantLines<string>();
  for (const item of ['a1', 'b1', 'c1', 'c2', 'c3']) lines.push(item.slice(0, 1), item);
  const taken: string[] = [];
  for (let turn = 0; turn < 9; turn += 1) {
    const item = lines.shift() as string;
    const tenant = item.slice(0, 1);
    taken.push(tenant);
    if (tenant !== 'c') lines.push(tenant, `${tenant}+`);
  }
  expect(taken.join('')).toBe('abcabcabc');
});

it('keeps nothing of what is gone', () => {
  const lines = new TenantLines<number>();
  for (let round = 0; round < 3; round += 1) {
    for (let item = 0; item < 1_000; item += 1) lines.push(String(item % 7), item);
    expect(new Set(Array.from({ length: 1_000 }, () => lines.shift())).size).toBe(1_000);
    expect(lines.isEmpty).toBe(true);
  }
});
