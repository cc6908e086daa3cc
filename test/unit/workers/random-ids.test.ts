import { expect, it } from 'vitest';
import { findMethod, type TlMethod } from '../../../src/tl/methods.ts';
import { fillRandomIds, hasNoRandomIds } from '../../../workers/executor/random-ids.ts';

const forward = findMethod('messages.forwardMessages') as TlMethod;
const send = findMethod('messages.sendMessage') as TlMethod;
const PARAMS = { id: [1, 2, 3] };

const idsOf = (seed: string, params: Record<string, unknown> = PARAMS) =>
  (fillRandomIds(forward, params, seed) as { randomId: string[] }).randomId;

it('gives each of several messages an id of its own where none was given', () => {
  const ids = idsOf('seed');
  expect(ids).toHaveLength(3);
  expect(new Set(ids).size).toBe(3);
  for (const id of ids) expect(BigInt.asIntN(64, BigInt(id))).toBe(BigInt(id));
});

it('derives no ids for all of the thousands that no method takes', () => {
  expect(idsOf('seed', { id: Array(32_000).fill(1) })).toHaveLength(1_000);
});

it('gives the same ids in every attempt under one seed, and others under another', () => {
  expect(idsOf('seed')).toEqual(idsOf('seed'));
  expect(idsOf('other')).not.toEqual(idsOf('seed'));
  const one = () => fillRandomIds(send, { message: 'x' }, 'seed');
  expect(one()).toEqual(one());
});

it('leaves the ids that a caller gave', () => {
  expect(idsOf('seed', { ...PARAMS, randomId: ['7', '8', '9'] })).toEqual(['7', '8', '9']);
  expect(fillRandomIds(send, { randomId: '7' }, 'seed')).toEqual({ randomId: '7' });
  expect([hasNoRandomIds(send, {}), hasNoRandomIds(send, { randomId: '7' })]).toEqual([true, false]);
});
