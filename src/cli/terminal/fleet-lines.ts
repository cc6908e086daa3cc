import type { Fleet } from '../setup/fleet.ts';
import { formatTable } from './table.ts';
import { visibleLine } from './visible.ts';

const WORKERS_SHOWN = 20;
const WORKSPACES_SHOWN = 3;
const TITLES = ['worker', 'process', 'version', 'state', 'busy', 'done', 'last heard'];

/** The figures of all processes that are columns of `top`; `-` where they are not known. */
export function fleetSummary(fleet: Fleet | null) {
  return {
    workersRunning: fleet?.workers.running ?? '-',
    workersWanted: fleet?.desiredWorkers ?? '-',
    arrivalsPerSecond: fleet?.arrivalRate ?? '-',
  };
}

/** The state of all processes, for a terminal. */
export function fleetLines({ workers, workerList, desiredWorkers, busyShare, ...fleet }: Fleet): string[] {
  const rows = workerList
    .slice(0, WORKERS_SHOWN)
    .map(({ id, host, pid, version, state, busyShare: busy, callsPerSecond, lastHeardAt }) =>
      [
        ...[id, `${host} ${pid}`, version, state, percent(busy), `${callsPerSecond} calls/s`],
        new Date(lastHeardAt).toLocaleTimeString(),
      ].map(visibleLine),
    );
  const heaviest = fleet.heaviestWorkspaces
    .slice(0, WORKSPACES_SHOWN)
    .map(({ workspaceId, callsPerSecond }) => `${workspaceId} ${callsPerSecond}/s`);
  return [
    '',
    `all workers   ${workers.running} run, ${desiredWorkers} wanted, busy ${percent(busyShare)}`,
    `all calls     ${fleet.arrivalRate}/s come, ${fleet.serviceRate}/s answered, the oldest waits for ${fleet.oldestWaitMs} ms`,
    `most from     ${heaviest.join(', ') || '-'}`,
    ...(rows.length === 0 ? [] : ['', formatTable(TITLES, rows)]),
  ];
}

/** A share from 0 to 1 as a percentage. */
export function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
