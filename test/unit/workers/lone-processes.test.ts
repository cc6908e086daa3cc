import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { openLogger } from '../../../src/logger.ts';
import { LoneProcesses } from '../../../workers/async-calls/lone-processes.ts';
import { eventually } from '../../support/eventually.ts';

const { execPath } = process;
const place = { workspaceId: 'ws_1', callId: 'call_1', accountId: 'acc_1' };
const tenant = { organizationId: 'org_1', workspaceId: 'ws_1', weight: 1 };
const log = openLogger({ LOG_LEVEL: 'silent' }, 'test');

/** Stands for a worker: it says which process it is as the end of each call that it is given. */
const CHILD = `process.send('ready');
process.on('message', () => process.send({ ended: String(process.pid), retried: false }));`;

let folder: string | undefined;

afterEach(async () => {
  process.execPath = execPath;
  vi.restoreAllMocks();
  vi.useRealTimers();
  if (folder !== undefined) await rm(folder, { recursive: true });
  folder = undefined;
});

/** Has processes run what stands for a worker. */
async function replaceProgram(): Promise<void> {
  folder = await mkdtemp(join(tmpdir(), 'lone-'));
  await writeFile(join(folder, 'child.mjs'), CHILD);
  await writeFile(join(folder, 'run'), `#!/bin/sh\nexec '${execPath}' '${folder}/child.mjs'\n`);
  await chmod(join(folder, 'run'), 0o755);
  process.execPath = join(folder, 'run');
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

it('gives its permit back where no process can be started', async () => {
  const lone = new LoneProcesses(log);
  process.execPath = '/nowhere/node';
  for (const _ of [1, 2, 3]) expect(await lone.run(place, tenant, async () => true)).toBeNull();
  // Were a permit missing, this would wait for it beyond the end of the test.
  await lone.close(600_000);
});

it('has one process run one call after the other, and ends it once there has been none for a while', async () => {
  await replaceProgram();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const lone = new LoneProcesses(log);
  const pids = [];
  for (const _ of [1, 2]) {
    const report = await lone.run(place, tenant, async () => true);
    pids.push(Number(report !== null && report !== 'died' && report.ended));
  }
  const [pid] = pids as [number];
  expect(pids).toEqual([pid, pid]);
  expect(isAlive(pid)).toBe(true);
  vi.advanceTimersByTime(10_000);
  vi.useRealTimers();
  await eventually(() => !isAlive(pid));
  await lone.close(600_000);
});

it('starts no process once it is closed', async () => {
  const warn = vi.spyOn(log, 'warn');
  process.execPath = '/nowhere/node';
  const lone = new LoneProcesses(log);
  await lone.close(0);
  expect(await lone.run(place, tenant, async () => true)).toBeNull();
  expect(warn).not.toHaveBeenCalled();
  expect(await new LoneProcesses(log).run(place, tenant, async () => true)).toBeNull();
  expect(warn).toHaveBeenCalledOnce();
});
