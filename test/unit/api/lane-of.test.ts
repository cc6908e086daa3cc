import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { laneOf } from '../../../src/api/server/lane-of.ts';

const KEYS = { tenantOf: () => 'tenant' };

function isCall(method: string, url: string): boolean {
  const lane = laneOf(KEYS, { method, url, headers: {} } as IncomingMessage);
  expect(lane.name).toBe(lane.counts ? 'tenant' : 'tenant calls');
  return !lane.counts;
}

test.each([
  '/workspaces/ws_1/messenger-accounts/acc_1/call/help.getSupport',
  '/workspaces/ws_1/messenger-accounts/acc_1/call/help.getSupport/?validate=only',
  '/base/workspaces/ws_1/messenger-accounts/acc_1/call/help.getSupport?x=/y',
  'http://gateway.example/workspaces/ws_1/calls',
  '/workspaces/ws_1/calls?validate=only',
])('POST %s is a call', (url) => {
  expect(isCall('POST', url)).toBe(true);
  expect(isCall('GET', url)).toBe(false);
});

test.each([
  '/v1/organizations',
  '/v1/organizations?/call/help.getSupport',
  '/v1/organizations?x=/workspaces/ws_1/calls',
  '/v1/organizations?x=/call/help.getSupport?y',
  '/v1/organizations#/call/help.getSupport',
  '/v1/messenger-accounts/acc_1/sandbox/reset?x#/call/help.getSupport',
  '/v1/calls/replay',
])('POST %s is none, whatever is behind the path, and counts in the lane of its tenant', (url) => {
  expect(isCall('POST', url)).toBe(false);
});

test.each(['/livez', '/readyz', '/readyz/?x', '/base/livez'])(
  '%s without a key waits behind no other request without one',
  (url) => {
    const request = { method: 'GET', url, headers: {} } as IncomingMessage;
    expect(laneOf(KEYS, request)).toEqual({ name: 'probes', counts: true });
    const withKey = { ...request, headers: { authorization: 'Bearer key' } } as IncomingMessage;
    expect(laneOf(KEYS, withKey).name).toBe('tenant');
  },
);

test('a longer path is no probe', () => {
  expect(isCall('GET', '/livez/more')).toBe(false);
});
