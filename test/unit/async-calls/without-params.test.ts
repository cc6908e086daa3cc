import { expect, test } from 'vitest';
import type { AsyncCall } from '../../../src/async-calls/async-call.ts';
import { withoutParams } from '../../../src/async-calls/without-params.ts';

const call: AsyncCall = {
  id: 'call_1',
  workspaceId: 'ws_1',
  organizationId: 'org_1',
  messengerAccountId: 'acc_1',
  method: 'messages.sendMessage',
  params: {},
  seed: 'a-seed',
  createdAt: 1,
  scheduleAt: null,
  expiresAt: 2,
  replayOf: null,
};

test.each([
  [{}],
  [{ message: 'a' }],
  [{ seed: 'b', params: { seed: 'c' }, createdAt: 9 }],
  [{ message: ',"seed":"x"' }],
  [{ a: 1, seed: ',"params":{"seed":"' }],
  [{ last: { a: 1, seed: '' } }],
])('a call is read without its params, whatever they hold: %j', (params) => {
  const { params: _, ...rest } = { ...call, params };
  expect(withoutParams(JSON.stringify({ ...call, params }))).toEqual(rest);
});

test('one whose members stand in another order is read, too', () => {
  const { params, seed, ...rest } = call;
  expect(withoutParams(JSON.stringify({ seed, ...rest, params }))).toEqual({ ...rest, seed });
});
