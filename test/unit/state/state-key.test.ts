import { beforeEach, expect, it } from 'vitest';
import type { StateReader } from '../../../src/state/batch-reads.ts';
import { stateKeysOf } from '../../../src/state/state-key.ts';

let redis: StateReader;

beforeEach(() => {
  redis = aReader();
});

// What is known of keys lies beside a connection; nothing is asked of it.
const aReader = () => ({}) as StateReader;

it('gives one object for each key, also while others are forgotten', () => {
  const find = stateKeysOf(redis, 'ws_1');
  const seq = find('seq');
  expect(seq.key).toContain('ws_1');
  for (let i = 0; i < 60_000; i += 1) stateKeysOf(redis, `ws_${i % 7}`)(`messages:u${i}`);
  expect(stateKeysOf(redis, 'ws_1')('seq')).toBe(seq);
  expect(find('seq')).toBe(seq);
  expect(stateKeysOf(redis, 'ws_2')('seq')).not.toBe(seq);
});

it('forgets what nobody has asked for since long ago', () => {
  const find = stateKeysOf(redis, 'ws_1');
  const seq = find('seq');
  for (let i = 0; i < 120_000; i += 1) find(`history:${i}`);
  expect(find('seq')).not.toBe(seq);
});

it('knows nothing of a key from another connection', () => {
  expect(stateKeysOf(aReader(), 'ws_1')('seq')).not.toBe(stateKeysOf(redis, 'ws_1')('seq'));
});
