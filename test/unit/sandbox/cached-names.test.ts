import { expect, it } from 'vitest';
import { cacheNames, cachePairNames } from '../../../workers/sandbox/model/common/cached-names.ts';

it('makes a name once for an id, and again only after very many others', () => {
  let made = 0;
  const name = cacheNames((id: number) => {
    made += 1;
    return `name:${id}`;
  });
  expect([name(1), name(2), name(1)]).toEqual(['name:1', 'name:2', 'name:1']);
  expect(made).toBe(2);
  for (let id = 0; id < 50_000; id += 1) expect(name(id)).toBe(`name:${id}`);
  made = 0;
  expect(name(1)).toBe('name:1');
  expect(made).toBe(1);
});

it('does the same with names of two', () => {
  let made = 0;
  const name = cachePairNames((id: number, peer: string) => {
    made += 1;
    return `${id}:${peer}`;
  });
  expect([name(1, 'u2'), name(2, 'u1'), name(1, 'u3'), name(1, 'u2')]).toEqual([
    '1:u2',
    '2:u1',
    '1:u3',
    '1:u2',
  ]);
  expect(made).toBe(3);
  for (let id = 0; id < 50_000; id += 1) expect(name(id % 7, `u${id}`)).toBe(`${id % 7}:u${id}`);
  made = 0;
  expect(name(1, 'u2')).toBe('1:u2');
  expect(made).toBe(1);
});
