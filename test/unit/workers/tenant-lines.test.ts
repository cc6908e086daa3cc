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

it('lets one with several go on beside many whose next item comes when the last is taken, in their order', () => {
  const lines = new TenantLines<string>();
  for (const item of ['a1', 'b1', 'c1', 'd1', 'd2', 'd3', 'd4']) lines.push(item.slice(0, 1), item);
  const taken: string[] = [];
  for (let turn = 0; turn < 12; turn += 1) {
    const item = lines.shift() as string;
    taken.push(item);
    const tenant = item.slice(0, 1);
    if (tenant !== 'd') lines.push(tenant, `${tenant}+`);
  }
  const several = taken.filter((item) => item.startsWith('d'));
  expect(several).toEqual(['d1', 'd2', 'd3', 'd4']);
  expect(taken.slice(0, 5)).toEqual(['a1', 'b1', 'c1', 'd1', 'd2']);
});

it('gives tenants with many items as much as their parts of what arrives', () => {
  const lines = new TenantLines<string>();
  for (let round = 0; round < 30; round += 1)
    for (const tenant of ['a', 'a', 'a', 'b']) lines.push(tenant, tenant);
  const taken = Array.from({ length: 60 }, () => lines.shift());
  expect(taken.filter((tenant) => tenant === 'a').length).toBeGreaterThan(
    2.5 * taken.filter((tenant) => tenant === 'b').length,
  );
});

it('keeps nothing of what is gone', () => {
  const lines = new TenantLines<number>();
  for (let round = 0; round < 3; round += 1) {
    for (let item = 0; item < 1_000; item += 1) lines.push(String(item % 7), item);
    expect(new Set(Array.from({ length: 1_000 }, () => lines.shift())).size).toBe(1_000);
    expect(lines.isEmpty).toBe(true);
  }
});
