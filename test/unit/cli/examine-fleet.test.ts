import { expect, it } from 'vitest';
import { examineFleet } from '../../../src/cli/doctor/examine-fleet.ts';
import type { Fleet } from '../../../src/cli/setup/fleet.ts';

const worker = {
  ...{ id: 'worker-1', version: '0.2.0', host: 'here', pid: 7, state: 'running' as const },
  ...{ busyShare: 0.5, callsPerSecond: 20, lastHeardAt: '2026-11-22T22:34:12.002Z' },
};
const calm: Fleet = {
  desiredWorkers: 1,
  workers: { running: 1, draining: 0, missing: 0, byVersion: { '0.2.0': 1 } },
  ...{ busyShare: 0.5, arrivalRate: 20, serviceRate: 20, oldestWaitMs: 3 },
  heaviestWorkspaces: [],
  workerList: [worker],
};
const found = (change: Partial<Fleet>) =>
  [...examineFleet({ ...calm, ...change })].map((finding) => `${finding.level} ${finding.found}`);
const counts = (running: number, byVersion: Record<string, number>) => ({
  workers: { ...calm.workers, running, byVersion },
});

it('says how many workers run, and of which version', () =>
  expect(found({})).toEqual(['ok Workers run: 1 of version 0.2.0, busy 50 % of the time.']));

it('says that there is none', () =>
  expect(found(counts(0, {}))).toEqual(['fail No worker runs: calls wait, and then never run.']));

it('says that there are too few', () =>
  expect(found({ desiredWorkers: 3 })).toContain('warn 1 run, and 3 are wanted for the present load.'));

it('says that an upgrade has stopped halfway', () =>
  expect(found({ ...counts(3, { '0.1.0': 1, '0.2.0': 2 }), desiredWorkers: 3 })).toEqual([
    'warn The workers have different versions: 1 of version 0.1.0, 2 of version 0.2.0.',
  ]));

it('says which worker has fallen silent', () =>
  expect(found({ workerList: [{ ...worker, state: 'missing' }] })).toContain(
    'warn The worker worker-1 (process 7 on here) has said nothing since 2026-11-22T22:34:12.002Z.',
  ));
