import { Gauge, type Registry } from 'prom-client';
import { PAUSE_MODES } from '../control/pauses.ts';
import type { ScalingReport } from '../fleet/scaling-report.ts';
import { countDataLosses } from '../metrics/data-losses.ts';
import { repliesKey } from '../redis/keys.ts';
import type { ApiDeps } from './deps.ts';

/** `read` returns the gauge's values by the value of its label. Without a label, `label` and the key of the only value are `''`. */
type ReportGauge = [
  name: string,
  label: string,
  help: string,
  read: (report: ScalingReport) => Record<string, number>,
];

const SAME = 'the same in all API processes';

const REPORT_GAUGES: ReportGauge[] = [
  ['workers', 'version', `Workers, with those that drain; ${SAME}.`, ({ workers }) => workers.byVersion],
  [
    'workers_draining',
    '',
    `Workers that drain and take no more calls; ${SAME}.`,
    ({ workers }) => ({ '': workers.draining }),
  ],
  [
    'workers_busy_share',
    '',
    `Mean share of time for which workers were busy lately; ${SAME}.`,
    ({ busyShare }) => ({ '': busyShare }),
  ],
  [
    'workers_desired',
    '',
    `Number of workers to run, the desiredWorkers of GET /v1/scaling; ${SAME}.`,
    ({ desiredWorkers }) => ({ '': desiredWorkers }),
  ],
  [
    'lane_waiting',
    'lane',
    `Jobs that wait in the queues of a lane; for the shared lane also calls that wait in API processes; for the async lane at most 16 calls of a workspace (switchboard_async_calls has all); ${SAME}.`,
    ({ lanes }) => byLane(lanes, ({ waiting }) => waiting),
  ],
  [
    'lane_oldest_wait_seconds',
    'lane',
    `Wait of the oldest job or call of a lane; ${SAME}.`,
    ({ lanes }) => byLane(lanes, ({ oldestWaitMs }) => oldestWaitMs / 1_000),
  ],
];

/**
 * Exposes what is read when scraped: workers, lanes, this process's reply stream, readers and held calls, pauses, and losses of data in
 * Redis.
 */
export function addFleetGauges(registry: Registry, deps: ApiDeps): void {
  const registers = [registry];
  for (const [name, label, help, read] of REPORT_GAUGES) {
    new Gauge({
      name: `switchboard_${name}`,
      help,
      labelNames: label === '' ? [] : [label],
      registers,
      async collect() {
        const report = await deps.scaling.report().catch(() => null);
        // While Redis is away, show no values rather than stale ones. A reset leaves a gauge without a label at 0.
        this.reset();
        if (report === null && label === '') this.remove();
        if (report === null) return;
        for (const [labelValue, value] of Object.entries(read(report)))
          this.set(label === '' ? {} : { [label]: labelValue }, value);
      },
    });
  }
  new Gauge({
    name: 'switchboard_reply_stream_entries',
    help: "Entries in this process's reply stream, including read entries that are not yet trimmed.",
    registers,
    async collect() {
      const { directory, calls } = deps;
      const entries = await directory.redis.xlen(repliesKey(calls.processName)).catch(() => null);
      if (entries === null) this.remove();
      else this.set(entries);
    },
  });
  const ownGauges: [name: string, help: string, read: () => number][] = [
    ['live_readers', 'Live readers of update streams.', () => deps.updates.lag.readers],
    [
      'live_readers_lag_seconds',
      'Lag of the slowest live reader behind the newest update.',
      () => deps.updates.lag.furthestMs / 1_000,
    ],
    [
      'live_readers_unread_bytes',
      'Bytes written to live readers that they have not read yet.',
      () => deps.reads.unread.bytes,
    ],
    ['calls_held', 'Paused calls whose callers wait.', () => deps.held.count],
  ];
  for (const [name, help, read] of ownGauges) {
    new Gauge({
      name: `switchboard_${name}`,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });
  }
  new Gauge({
    name: 'switchboard_pauses',
    help: `Pauses; ${SAME}.`,
    labelNames: ['mode'],
    registers,
    collect() {
      for (const mode of PAUSE_MODES) this.set({ mode }, deps.control.pauses.count(mode));
    },
  });
  countDataLosses(registry, deps.data);
}

type LaneReport = ScalingReport['lanes'][number];

function byLane(lanes: LaneReport[], value: (lane: LaneReport) => number): Record<string, number> {
  return Object.fromEntries(lanes.map((lane) => [lane.lane, value(lane)]));
}
