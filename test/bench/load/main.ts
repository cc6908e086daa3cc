import { setTimeout as sleep } from 'node:timers/promises';
import { openClosedLoop } from './closed-loop.ts';
import { GroupRecorder } from './group-recorder.ts';
import type { LoadMessage, LoadPlan, LoadResult } from './load-plan.ts';
import { openOpenLoop } from './open-loop.ts';
import { readCpuByRole, readMachineCpuSeconds } from './process-cpu.ts';

const LONGEST_TIMES = 5;

// The load has a process of its own, so that what it costs is known and its garbage collections are nobody else's.
process.on('disconnect', () => process.exit(0));
process.on('SIGINT', () => undefined);
process.on('message', (plan: LoadPlan) => {
  carryOut(plan).then(
    (result) => say({ kind: 'result', result }),
    (error: Error) => say({ kind: 'failed', message: error.message }),
  );
});
say({ kind: 'ready' });

async function carryOut(plan: LoadPlan): Promise<LoadResult> {
  const groups = plan.groups.map((group) => {
    const isOpen = group.ratePerSecond !== undefined;
    const recorder = new GroupRecorder({
      byArrival: !isOpen,
      withTimeline: plan.timeline === true,
      deadlineMs: group.deadlineMs,
    });
    const load = (isOpen ? openOpenLoop : openClosedLoop)(group, recorder);
    return { group, recorder, load };
  });
  const pids = { ...plan.pids, load: [process.pid] };
  await Promise.all(groups.map(({ load }) => load.open()));
  for (const { group, load } of groups) if (group.startAfterMs === undefined) load.begin();
  await sleep(plan.warmUpMs);

  const beganAt = performance.now();
  const cpuBefore = readCpuByRole(pids);
  const machineBefore = readMachineCpuSeconds();
  for (const { recorder } of groups) recorder.begin(beganAt);
  say({ kind: 'measuring' });
  for (const { group, load } of groups) {
    if (group.startAfterMs !== undefined) setTimeout(() => load.begin(), group.startAfterMs);
    if (group.stopAfterMs !== undefined) setTimeout(() => load.pause(), group.stopAfterMs);
  }
  await sleep(plan.measureMs);
  const answered = () => groups.reduce((sum, { recorder }) => sum + recorder.answered, 0);
  const latest = beganAt + LONGEST_TIMES * plan.measureMs;
  while (answered() < (plan.answersMin ?? 0) && performance.now() < latest) await sleep(plan.measureMs / 2);
  const endedAt = performance.now();
  const cpuAfter = readCpuByRole(pids);
  const machineSeconds = readMachineCpuSeconds() - machineBefore;
  for (const { recorder } of groups) recorder.end(endedAt);
  say({ kind: 'measured' });

  await Promise.all(groups.map(({ load }) => load.stop(plan.drainMs)));
  const cpuSeconds = Object.fromEntries(
    Object.keys(pids).map((role) => [role, (cpuAfter[role] ?? 0) - (cpuBefore[role] ?? 0)]),
  );
  return {
    seconds: (endedAt - beganAt) / 1_000,
    groups: Object.fromEntries(groups.map(({ group, recorder }) => [group.name, recorder.result()])),
    cpuSeconds,
    otherCpuSeconds: machineSeconds - Object.values(cpuSeconds).reduce((sum, seconds) => sum + seconds, 0),
  };
}

function say(message: LoadMessage): void {
  process.send?.(message);
}
