import { EventEmitter } from 'node:events';
import { beforeEach, expect, test } from 'vitest';
import { type Pause, Pauses } from '../../../src/control/pauses.ts';
import { HeldCalls } from '../../../src/queue/submit/held-calls.ts';
import type { CallRequest } from '../../../src/queue/submit/pending-call.ts';
import { eventually } from '../../support/eventually.ts';
import { isCollected } from '../../support/is-collected.ts';

const pauses = new Pauses();
let held: HeldCalls;
let counted: string[];

beforeEach(() => {
  pauses.replace([]);
  counted = [];
  const admission = {
    holding: <T>(_owner: object, _bytes: number, act: () => Promise<T>) => act(),
    countPaused: (workspaceId: string) => void counted.push(workspaceId),
  };
  held = new HeldCalls({ pauses, admission, bounds: { inFlightMax: 80, bytesInFlightMax: 8_000 } });
});

const pause = (kind: Pause['target']['kind'], id: string, mode: Pause['mode'] = 'wait'): Pause => ({
  target: { kind, id },
  mode,
  reason: null,
  since: '2026-01-01T00:00:00.000Z',
  by: { id: null, name: 'root key' },
});

const aCall = (workspaceId: string, { bytes = 1, timeoutMs = 60_000, organizationId = 'org' } = {}) =>
  ({
    workspaceId,
    organizationId,
    account: { id: `acc_${workspaceId}` },
    method: 'help.getSupport',
    lane: 'shared',
    bytes,
    timeoutMs,
  }) as CallRequest;

const aCaller = () => Object.assign(new EventEmitter(), { destroyed: false });

const pass = (call: CallRequest, caller = aCaller()) =>
  (held.pass(call, caller) ?? Promise.resolve()).then(
    () => 'passed',
    (problem) => problem.code,
  );

test('lets calls pass that are not paused, and holds the others until nothing pauses them', async () => {
  pauses.replace([pause('workspace', 'ws_a'), pause('method', 'help.getSupport')]);
  expect(held.pass({ ...aCall('ws_b'), method: 'help.getConfig' }, aCaller())).toBeNull();
  const one = pass(aCall('ws_a'));
  pauses.replace([pause('workspace', 'ws_a')]);
  expect(held.count).toBe(1);
  pauses.replace([]);
  expect(await one).toBe('passed');
  expect(held.count).toBe(0);
});

test('a call that goes on has what is left of its time', async () => {
  pauses.replace([pause('account', 'acc_ws_a')]);
  const call = aCall('ws_a');
  const passed = pass(call);
  await new Promise((resolve) => setTimeout(resolve, 20));
  pauses.replace([]);
  await passed;
  expect(call.timeoutMs).toBeLessThan(60_000);
  expect(call.timeoutMs).toBeGreaterThan(0);
});

test('holds a call where so few may be in flight that it is more than its part', async () => {
  const bounds = { inFlightMax: 3, bytesInFlightMax: 8_000 };
  const admission = {
    holding: <T>(_: object, __: number, act: () => Promise<T>) => act(),
    countPaused: () => undefined,
  };
  held = new HeldCalls({ pauses, admission, bounds });
  pauses.replace([pause('lane', 'shared')]);
  const passed = pass(aCall('ws_a'));
  expect(held.count).toBe(1);
  expect(await pass(aCall('ws_b'))).toBe('paused');
  pauses.replace([]);
  expect(await passed).toBe('passed');
});

test('keeps nothing of a call that goes on, however long its caller stays', async () => {
  pauses.replace([pause('lane', 'shared')]);
  const caller = aCaller();
  const [params, passed] = (() => {
    const call = { ...aCall('ws_a'), params: {} };
    return [new WeakRef(call.params), pass(call, caller)];
  })();
  pauses.replace([]);
  expect(await passed).toBe('passed');
  expect(await eventually(() => isCollected(params))).toBe(true);
  expect(caller.listenerCount('close')).toBe(1);
});

test('ends a call whose time is over, whose caller is gone, that is refused since, or whose process stops', async () => {
  pauses.replace([pause('lane', 'shared')]);
  expect(await pass(aCall('ws_a', { timeoutMs: 5 }))).toBe('paused');
  const caller = aCaller();
  const gone = pass(aCall('ws_a'), caller);
  caller.emit('close');
  expect(await gone).toBe('canceled');
  const refused = pass(aCall('ws_a'));
  pauses.replace([pause('lane', 'shared', 'refuse')]);
  expect(await refused).toBe('paused');
  pauses.replace([pause('lane', 'shared')]);
  const last = pass(aCall('ws_a'));
  held.close();
  expect(await last).toBe('shutting_down');
  expect(counted).toEqual(['ws_a', 'ws_a']);
  expect(held.count).toBe(0);
});

test('holds no call once its process stops', async () => {
  pauses.replace([pause('lane', 'shared')]);
  held.close();
  expect(await pass(aCall('ws_a'))).toBe('shutting_down');
  expect(held.count).toBe(0);
});

test('counts each call that is refused since once, however often pauses change meanwhile', async () => {
  held = new HeldCalls({
    pauses,
    admission: { holding: (_owner, _bytes, act) => act(), countPaused: (id) => void counted.push(id) },
    bounds: { inFlightMax: 4_000, bytesInFlightMax: 8_000 },
  });
  pauses.replace([pause('lane', 'shared')]);
  const waiting = Array.from({ length: 120 }, () => pass(aCall('ws_a')));
  pauses.replace([pause('lane', 'shared', 'refuse')]);
  pauses.replace([pause('lane', 'shared', 'refuse')]);
  expect(new Set(await Promise.all(waiting))).toEqual(new Set(['paused']));
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(counted).toHaveLength(120);
});

test('holds a twentieth of all calls and bytes for one workspace, an eighth for one organization, a quarter for all', async () => {
  pauses.replace([pause('lane', 'shared')]);
  for (let i = 0; i < 4; i += 1) void pass(aCall('ws_a'));
  expect(await pass(aCall('ws_a'))).toBe('paused');
  expect(await pass(aCall('ws_b', { bytes: 401 }))).toBe('paused');
  for (let i = 0; i < 4; i += 1) void pass(aCall('ws_b'));
  for (let i = 0; i < 2; i += 1) void pass(aCall('ws_c'));
  expect(held.count).toBe(10);
  expect(await pass(aCall('ws_c'))).toBe('paused');
  expect(await pass(aCall('ws_d', { organizationId: 'org_b', bytes: 401 }))).toBe('paused');
  for (const organizationId of ['org_b', 'org_c'])
    for (let i = 0; i < 5; i += 1) void pass(aCall(`ws_${organizationId}_${i}`, { organizationId }));
  expect(held.count).toBe(20);
  expect(await pass(aCall('ws_f', { organizationId: 'org_d' }))).toBe('paused');
  held.close();
  expect(held.count).toBe(0);
});

test('has room again for as many bytes as were held once they are let go', async () => {
  for (let n = 0; n < 10; n += 1) {
    pauses.replace([pause('lane', 'shared')]);
    const passed = pass(aCall('ws_a', { bytes: 400 }));
    pauses.replace([]);
    expect(await passed).toBe('passed');
  }
});

test('one pause that refuses counts more than others that wait', () => {
  pauses.replace([pause('workspace', 'ws_a'), pause('method', 'help.getSupport', 'refuse')]);
  expect(pauses.find(aCall('ws_a'), 'shared')?.mode).toBe('refuse');
  expect(() => held.check(aCall('ws_a'))).toThrow('paused');
});
