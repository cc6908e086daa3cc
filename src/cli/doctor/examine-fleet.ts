import type { Fleet } from '../setup/fleet.ts';
import { percent } from '../terminal/fleet-lines.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

/** Checks whether there are enough workers, whether all have one version, and whether none is missing. */
export function* examineFleet({ workers, workerList, desiredWorkers, busyShare }: Fleet): Generator<Finding> {
  const { running, byVersion } = workers;
  const versions = Object.entries(byVersion).map(([version, count]) => `${count} of version ${version}`);
  yield running === 0
    ? fail('No worker runs: calls wait, and then never run.', 'Start one with `npm run worker`.')
    : versions.length > 1
      ? warn(
          `The workers have different versions: ${versions.join(', ')}.`,
          'Restart the workers of the older version.',
        )
      : ok(`Workers run: ${versions.join(', ')}, busy ${percent(busyShare)} of the time.`);
  if (running > 0 && desiredWorkers > running)
    yield warn(
      `${running} run, and ${desiredWorkers} are wanted for the present load.`,
      `Start ${desiredWorkers - running} more; \`switchboard top\` shows the load.`,
    );
  for (const { id, host, pid, lastHeardAt } of workerList.filter(({ state }) => state === 'missing'))
    yield warn(
      `The worker ${id} (process ${pid} on ${host}) has said nothing since ${lastHeardAt}.`,
      'If it did not end on purpose, look at its last log lines. Its calls run again elsewhere.',
    );
}
