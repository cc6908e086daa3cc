import { expect, it } from 'vitest';
import { adviceFor, type Known } from '../../../src/pages/console/advice.ts';
import type { ScalingReport } from '../../../src/pages/console/types.ts';

const CALM: ScalingReport = {
  ...{ at: '2026-11-22T22:34:12.002Z', targetWaitMs: 500, desiredWorkers: 1, oldestWaitMs: 3 },
  workers: { running: 1, draining: 0, missing: 0, byVersion: { '0.2.0': 1 } },
  ...{ busyShare: 0.5, arrivalRate: 20, serviceRate: 20, latency: { p50Ms: 4, p99Ms: 9 } },
  ...{ outcomes: {}, refusals: {}, lanes: [], heaviestWorkspaces: [], workerList: [] },
  asyncCalls: { backlog: 0, oldestMs: 0 },
  webhooks: { waiting: 0, oldestMs: 0, enabled: 2, disabled: 0, furthestBehind: [] },
};
const CHECKS = { redis: 'ok', data: 'ok', memory: 'ok', writes: 'ok', workers: 'ok' };
const KNOWN: Known = {
  report: CALM,
  health: { status: 'ready', version: '0.2.0', checks: CHECKS },
  ...{ paused: 0, error: null },
};
const MINUTE_MS = 60_000;

const told = (change: Partial<ScalingReport>, known: Partial<Known> = {}) =>
  adviceFor({ ...KNOWN, ...known, report: { ...CALM, ...change } }).map(
    ({ level, text }) => `${level} ${text}`,
  );
const asyncCalls = (backlog: number, oldestMs: number) => ({ asyncCalls: { backlog, oldestMs } });
const webhooks = (oldestMs: number) => ({ webhooks: { ...CALM.webhooks, waiting: 9, oldestMs } });

it('calls healthy what asks for nothing, also with backlogs that are young', () => {
  const healthy = ['good Healthy: nothing asks for your attention.'];
  expect(told({})).toEqual(healthy);
  expect(told({ ...asyncCalls(100_000, 2 * MINUTE_MS), ...webhooks(5 * MINUTE_MS) })).toEqual(healthy);
});

it('names an old backlog of async calls, and what to do', () => {
  expect(told(asyncCalls(100_000, 150 * MINUTE_MS))).toEqual([
    expect.stringMatching(
      /^warn 100,000 async calls are due, the oldest for 3 h: .*pauses.*more workers.*async concurrency/,
    ),
  ]);
  expect(told(asyncCalls(1, 2 * MINUTE_MS + 1))).toEqual([
    expect.stringMatching(/^warn 1 async call is due, the oldest for 2 min: /),
  ]);
});

it('names an old backlog of webhooks, and where to look', () => {
  expect(told(webhooks(180 * MINUTE_MS))).toEqual([
    'warn A delivery to a webhook has waited for 3 h: look at Webhooks for receivers that fail.',
  ]);
  expect(told(webhooks(5 * MINUTE_MS + 1))).toHaveLength(1);
});

it('names calls that are turned away, also those of a bulk that ends as no outcome', () => {
  expect(told({ outcomes: { ok: 9 }, refusals: { wait: 20, share: 1 } })).toEqual([
    'warn 21/s calls are turned away (too many, or paused).',
  ]);
  expect(told({ outcomes: { overloaded: 500 } })).toEqual([
    'warn 500/s calls are turned away (too many, or paused).',
  ]);
});

it('tells what is worse first', () => {
  const old = { ...asyncCalls(20, 9 * MINUTE_MS), ...webhooks(9 * MINUTE_MS) };
  const health = { status: 'not ready', version: '0.2.0', checks: { ...CHECKS, workers: 'none' } };
  const all = told({ ...old, desiredWorkers: 2 }, { health, paused: 1 });
  expect(all.map((text) => text.split(' ').slice(0, 3).join(' '))).toEqual([
    'bad No worker',
    'warn Start 1',
    'warn 20 async',
    'warn A delivery',
    'warn 1 thing',
  ]);
});

it('tells of no backlogs by figures that are old', () =>
  expect(told(asyncCalls(20, 9 * MINUTE_MS), { error: new Error('no answer') })).toEqual([
    'bad Nothing is known about now: the figures cannot be read, and those below are old.',
  ]));
