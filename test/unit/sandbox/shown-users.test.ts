import { expect, it } from 'vitest';
import { ShownUsers } from '../../../workers/sandbox/model/updates/shown-users.ts';

const LONG = 'x'.repeat(2_048);

it('finds a user as it was shown, by its record and what the viewer has noted', () => {
  const users = new ShownUsers();
  users.keep('ada', '', 'Ada');
  users.keep('ada', 'my friend', 'Countess');
  expect(users.find('ada', '')).toBe('Ada');
  expect(users.find('ada', 'my friend')).toBe('Countess');
  expect(users.find('ada', 'self')).toBeUndefined();
  expect(users.find('bob', '')).toBeUndefined();
});

it.each([
  [LONG, 'note', 'shown'],
  ['record', LONG, 'shown'],
  ['record', 'note', LONG],
])('keeps none whose texts are long', (record, noted, shown) => {
  const users = new ShownUsers();
  users.keep(record, noted, shown);
  expect(users.find(record, noted)).toBeUndefined();
});

it('keeps 8 Mi characters at most, of one user or of many', () => {
  const shown = 'x'.repeat(1_024);
  for (const recordOf of [() => 'ada', (index: number) => `user ${index}`]) {
    const users = new ShownUsers();
    const asked = Array.from({ length: 20_000 }, (_, index) => [recordOf(index), `note ${index}`] as const);
    for (const [record, noted] of asked) users.keep(record, noted, shown);
    const kept = asked.filter(([record, noted]) => users.find(record, noted) !== undefined);
    expect(kept.length).toBeGreaterThan(0);
    expect(kept.length * shown.length).toBeLessThanOrEqual(8 * 1_024 * 1_024);
    expect(kept.at(-1)).toEqual(asked.at(-1));
  }
});
