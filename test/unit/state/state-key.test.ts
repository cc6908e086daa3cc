import { expect, it } from 'vitest';
import { stateKeysOf } from '../../../src/state/state-key.ts';

it('gives one object for each key, also while others are forgotten', () => {
  const find = stateKeysOf('ws_1');
  const seq = find('seq');
  expect(seq.key).toContain('ws_1');
  for (let i = 0; i < 60_000; i += 1) stateKeysOf(`ws_${i % 7}`)(`messages:u${i}`);
  expect(stateKeysOf('ws_1')('seq')).toBe(seq);
  expect(find('seq')).toBe(seq);
  expect(stateKeysOf('ws_2')('seq')).not.toBe(seq);
});

it('forgets what nobody has asked for since long ago', () => {
  const find = stateKeysOf('ws_1');
  const seq = find('seq');
  for (let i = 0; i < 120_000; i += 1) find(`history:${i}`);
  expect(find('seq')).not.toBe(seq);
});
