import { Redis } from 'ioredis';
import { expect, it } from 'vitest';
import { encodeClaim, processOfClaim } from '../../../src/ledger/codec.ts';
import { aheadEntry, asyncEntry, callEntry, faultEntry, ownEntry } from '../../../src/ledger/entry.ts';
import { identifyKey } from '../../../src/ledger/identify-key.ts';
import { batchLedgerKey, ledgerKey } from '../../../src/redis/keys.ts';

const HOUR_MS = 3_600_000;
const call = { id: 'call_1', workspaceId: 'ws_1', notAfter: 1_000 };
const key = { ledger: 'key-1', claim: 'pending:call_1@p hash' };
const batch = { id: 'boot.1', ledgerExpiresAt: 7_000 };
// Nothing is asked of it.
const redis = new Redis({ lazyConnect: true });

it('the entry of a call is a field of its own in the ledger of the batch, and goes with that', () => {
  expect(callEntry(redis, call, batch)).toEqual({
    ...{ workspaceId: 'ws_1', notAfter: 1_000, claim: '', field: 'call_1' },
    ...{ ledger: batchLedgerKey('', 'boot.1'), ledgerExpiresAt: 7_000 },
  });
});

it('the entry of a call with a key is that of the key, which is kept for a day', () => {
  expect(callEntry(redis, { ...call, key }, batch)).toEqual({
    ...{ workspaceId: 'ws_1', notAfter: 1_000, claim: key.claim, field: 'reply' },
    ...{ ledger: ledgerKey('ws_1', 'key-1'), ledgerExpiresAt: 1_000 + 24 * HOUR_MS },
  });
});

it('the entry of a call in no batch has a ledger of its own, which stays five seconds longer than the call may run', () => {
  expect(ownEntry({ ...call, notAfter: 1_000.2 })).toEqual({
    ...{ workspaceId: 'ws_1', notAfter: 1_000.2, claim: '', field: 'call_1' },
    ...{ ledger: ledgerKey('ws_1', 'call_1'), ledgerExpiresAt: 6_001 },
  });
});

it('the entry of an async call stays for longer than its record', () => {
  expect(asyncEntry('ws_1', 'call_1', 1_000.2)).toEqual({
    ...{ workspaceId: 'ws_1', notAfter: 1_000.2, claim: '', field: 'reply' },
    ...{ ledger: ledgerKey('ws_1', 'call_1'), ledgerExpiresAt: 1_001 + 26 * HOUR_MS },
  });
});

it('the fault of a call is recorded beside its outcome, never with a claim, and no longer than the call may run', () => {
  const plain = callEntry(redis, call, batch);
  expect(faultEntry(call, plain, null)).toEqual({ ...plain, field: 'call_1#fault' });
  const keyed = { ...call, key };
  const own = { ...ownEntry(call), field: 'call_1#fault' };
  expect(faultEntry(keyed, callEntry(redis, keyed, batch), null)).toEqual(own);
  for (const attempt of [1, 2])
    expect(faultEntry(call, asyncEntry('ws_1', 'call_1', 1_000), attempt)).toEqual({
      ...own,
      ledger: ledgerKey('ws_1', `call_1-fault-${attempt}`),
    });
});

it('what a call has committed ahead is recorded beside its outcome; of an async call for later attempts, too', () => {
  const field = 'call_1#ahead';
  const plain = callEntry(redis, call, batch);
  expect(aheadEntry(call, plain)).toEqual({ ...plain, field });
  const keyed = { ...call, key };
  expect(aheadEntry(keyed, callEntry(redis, keyed, batch))).toEqual({ ...ownEntry(call), field });
  const entry = asyncEntry('ws_1', 'call_1', 1_000);
  expect(aheadEntry(keyed, entry)).toEqual({ ...entry, field });
});

it('a claim names its process, but for those of earlier releases', () => {
  expect(processOfClaim(encodeClaim({ callId: 'call_1', processName: 'boot-x_1' }, 'hash'))).toBe('boot-x_1');
  for (const claim of [
    'pending:call_1 hash',
    'pending:call_1 x@y hash',
    'done:call_1@boot hash',
    'call_1@boot h',
  ])
    expect(processOfClaim(claim)).toBeUndefined();
});

it('a key is its account’s, and its payload the method, the params and what is beside them', () => {
  const request = { accountId: 'acc_1', key: 'k', method: 'm', params: { b: 1, a: [{ d: null, c: 'x' }] } };
  const { ledger, seed, payload } = identifyKey(request);
  expect(ledger).toBe(`key-${seed}`);
  const same = { ...request, params: { a: [{ c: 'x', d: null }], b: 1 } };
  expect(identifyKey(same)).toEqual({ ledger, seed, payload });
  for (const other of [
    { ...request, accountId: 'acc_2' },
    { ...request, key: 'k2' },
  ]) {
    expect(identifyKey(other).seed).not.toBe(seed);
    expect(identifyKey(other).payload).toBe(payload);
  }
  for (const other of [
    { ...request, method: 'n' },
    { ...request, params: { ...request.params, b: 2 } },
    { ...request, params: { ...request.params, a: [{ c: 'x', d: 0 }] } },
  ]) {
    expect(identifyKey(other).seed).toBe(seed);
    expect(identifyKey(other).payload).not.toBe(payload);
  }
  expect(identifyKey(request, 'more').payload).not.toBe(payload);
});
