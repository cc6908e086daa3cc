import { expect, it } from 'vitest';
import type { ApiFigures, Member, WorkerFigures } from '../../../src/fleet/figures.ts';
import { scalingReport } from '../../../src/fleet/scaling-report.ts';

const NOW = 1_700_000_000_000;
const SETTINGS = { targetWaitMs: 500, slowPerWorker: 96 };

function aWorker(name: string, silentMs: number, changed: Partial<WorkerFigures> = {}): Member {
  const figures: WorkerFigures = {
    kind: 'worker',
    version: '1',
    host: 'host',
    pid: 1,
    startedAt: NOW - 60_000,
    isDraining: false,
    busyShare: 0.5,
    callsPerSecond: 100,
    slowRunning: 0,
    running: 1,
    ...changed,
  };
  return { name, heardAt: NOW - silentMs, figures };
}

function anApi(name: string, changed: Partial<ApiFigures>): Member {
  const figures: ApiFigures = {
    kind: 'api',
    version: '1',
    arrivalRate: 0,
    serviceRate: 0,
    waiting: 0,
    oldestWaitMs: 0,
    workspaces: [],
    ...changed,
  };
  return { name, heardAt: NOW, figures };
}

it('counts workers by what they say and when they said it last', () => {
  const members = [
    aWorker('a', 0),
    aWorker('b', 500, { isDraining: true, version: '2' }),
    aWorker('c', 5_000),
    aWorker('d', 20_000),
  ];
  const report = scalingReport({ now: NOW, members }, [], SETTINGS);
  expect(report.workers).toEqual({ running: 1, draining: 1, missing: 1, byVersion: { 1: 1, 2: 1 } });
  expect(report.workerList.map(({ id, state }) => [id, state])).toEqual([
    ['a', 'running'],
    ['b', 'draining'],
    ['c', 'missing'],
  ]);
});

it('knows of the waits in workers', () => {
  const lanes = (['shared', 'slow'] as const).map((lane) => ({
    lane,
    waiting: 1,
    oldestWaitMs: 50,
    taken: 1,
  }));
  const members = [aWorker('a', 0, { oldestWaitMs: 700 }), aWorker('b', 5_000, { oldestWaitMs: 9_000 })];
  const report = scalingReport({ now: NOW, members: [...members, aWorker('old', 0)] }, lanes, SETTINGS);
  expect(report.oldestWaitMs).toBe(700);
  expect(report.lanes.map(({ oldestWaitMs }) => oldestWaitMs)).toEqual([700, 50]);
  expect(report.workerList[0]).not.toHaveProperty('oldestWaitMs');
});

it('adds up what API processes and queues tell', () => {
  const use = (workspaceId: string, callsPerSecond: number) => ({
    workspaceId,
    callsPerSecond,
    refusedPerSecond: 1,
  });
  const report = scalingReport(
    {
      now: NOW,
      members: [
        anApi('a', {
          arrivalRate: 60,
          serviceRate: 50,
          waiting: 3,
          outcomes: { ok: 50, failed: 0.5 },
          refusals: { share: 9 },
          durations: [0, 0, 40],
          workspaces: [use('x', 40), { ...use('y', 20), waiting: 3 }],
        }),
        anApi('b', {
          arrivalRate: 40,
          serviceRate: 40,
          waiting: 4,
          oldestWaitMs: 90,
          outcomes: { ok: 39 },
          durations: [0, 0, 58, 0, 0, 0, 0, 0, 0, 2],
          workspaces: [{ ...use('y', 40), waiting: 4 }],
        }),
      ],
    },
    [{ lane: 'shared', waiting: 2, oldestWaitMs: 30, taken: 1 }],
    SETTINGS,
  );
  expect(report).toMatchObject({ arrivalRate: 100, serviceRate: 90, oldestWaitMs: 90 });
  expect(report).toMatchObject({ outcomes: { ok: 89, failed: 0.5 }, refusals: { share: 9 } });
  expect(report.latency).toEqual({ p50Ms: 0.7, p99Ms: 3.33 });
  expect(report.lanes).toEqual([{ lane: 'shared', waiting: 9, oldestWaitMs: 90 }]);
  expect(report.heaviestWorkspaces).toEqual([
    { workspaceId: 'y', callsPerSecond: 60, refusedPerSecond: 2, costPerSecond: 0, waiting: 7, share: 0.6 },
    { workspaceId: 'x', callsPerSecond: 40, refusedPerSecond: 1, costPerSecond: 0, waiting: 0, share: 0.4 },
  ]);
});

it('wants no more workers for calls that are refused for the share of their own organization', () => {
  const wantedFor = (flood: Partial<ApiFigures>) => {
    const members = [aWorker('a', 0), aWorker('b', 0), anApi('c', flood)];
    return scalingReport({ now: NOW, members }, [], SETTINGS);
  };
  const flood = { arrivalRate: 10_000, serviceRate: 200 };
  expect(wantedFor({ ...flood, ownRefusalRate: 9_800 })).toMatchObject({
    arrivalRate: 10_000,
    desiredWorkers: 2,
  });
  expect(wantedFor(flood).desiredWorkers).toBe(4);
});

it('counts scheduled calls as coming when workers say that their time has come', () => {
  const members = [aWorker('a', 0, { dueRate: 5 }), aWorker('b', 0), anApi('c', { arrivalRate: 20 })];
  const report = scalingReport({ now: NOW, members }, [], SETTINGS);
  expect(report.arrivalRate).toBe(25);
  expect(report.workerList[0]).not.toHaveProperty('dueRate');
});

it('adds up what the calls of a workspace cost, and puts the costly first', () => {
  const use = (workspaceId: string, costPerSecond: number) => ({
    workspaceId,
    costPerSecond,
    callsPerSecond: 10,
    refusedPerSecond: 0,
  });
  const members = [
    anApi('a', { arrivalRate: 20, workspaces: [use('x', 10), use('y', 30)] }),
    anApi('b', { arrivalRate: 10, workspaces: [use('x', 15.5)] }),
  ];
  const { heaviestWorkspaces } = scalingReport({ now: NOW, members }, [], SETTINGS);
  expect(heaviestWorkspaces.map(({ workspaceId, costPerSecond }) => [workspaceId, costPerSecond])).toEqual([
    ['y', 30],
    ['x', 25.5],
  ]);
});

it('shows the ten workspaces that ask for most, and at most a thousand workers', () => {
  const workspaces = Array.from({ length: 30 }, (_, i) => ({
    workspaceId: `ws-${i}`,
    callsPerSecond: i,
    refusedPerSecond: 0,
  }));
  const workers = Array.from({ length: 1_200 }, (_, i) => aWorker(`worker-${i}`, 0));
  const members = [anApi('a', { arrivalRate: 1_000, workspaces }), ...workers];
  const report = scalingReport({ now: NOW, members }, [], SETTINGS);
  expect(report.heaviestWorkspaces.map(({ workspaceId }) => workspaceId)).toEqual(
    Array.from({ length: 10 }, (_, i) => `ws-${29 - i}`),
  );
  expect(report.workerList).toHaveLength(1_000);
  expect(report.workers.running).toBe(1_200);
});
