import { Counter, Gauge, type Registry } from 'prom-client';
import { PAUSE_MODES } from '../control/pauses.ts';
import type { ScalingReport } from '../fleet/scaling-report.ts';
import { repliesKey } from '../redis/keys.ts';
import type { ApiDeps } from './deps.ts';

/** A gauge without a label has its value under the empty name. */
type ReportGauge = [
  name: string,
  label: string,
  help: string,
  read: (report: ScalingReport) => Record<string, number>,
];

const ALL = 'the same in all';

const OF_REPORT: ReportGauge[] = [
  ['workers', 'version', `Workers; ${ALL}.`, ({ workers }) => workers.byVersion],
  [
    'workers_draining',
    '',
    `Workers that take no more calls; ${ALL}.`,
    ({ workers }) => ({ '': workers.draining }),
  ],
  [
    'workers_busy_share',
    '',
    `Share of time that workers were busy lately; ${ALL}.`,
    ({ busyShare }) => ({ '': busyShare }),
  ],
  [
    'workers_desired',
    '',
    `Workers that GET /v1/scaling asks for; ${ALL}.`,
    ({ desiredWorkers }) => ({ '': desiredWorkers }),
  ],
  [
    'lane_waiting',
    'lane',
    `Jobs that wait in a lane, and calls that wait for the shared one; ${ALL}.`,
    ({ lanes }) => byLane(lanes, ({ waiting }) => waiting),
  ],
  [
    'lane_oldest_wait_seconds',
    'lane',
    `How long the oldest job or call of a lane has waited; ${ALL}.`,
    ({ lanes }) => byLane(lanes, ({ oldestWaitMs }) => oldestWaitMs / 1_000),
  ],
];

/** Exposes gauges beside the call path: workers, lanes, readers of updates, and losses of data in Redis. */
export function addFleetGauges(registry: Registry, deps: ApiDeps): void {
  const registers = [registry];
  for (const [name, label, help, read] of OF_REPORT) {
    new Gauge({
      name: `switchboard_${name}`,
      help,
      labelNames: label === '' ? [] : [label],
      registers,
      async collect() {
        const report = await deps.scaling.report().catch(() => null);
        // While Redis is away, show nothing rather than old values.
        this.reset();
        if (report === null) return this.remove();
        for (const [value, count] of Object.entries(read(report)))
          this.set(label === '' ? {} : { [label]: value }, count);
      },
    });
  }
  new Gauge({
    name: 'switchboard_reply_stream_entries',
    help: "Entries of this process's reply stream, read ones included until trimmed.",
    registers,
    async collect() {
      const { directory, calls } = deps;
      const entries = await directory.redis.xlen(repliesKey(calls.processName)).catch(() => null);
      if (entries !== null) this.set(entries);
    },
  });
  const plain: [name: string, help: string, read: () => number][] = [
    ['live_readers', 'Readers that follow update streams.', () => deps.updates.lag.readers],
    [
      'live_readers_lag_seconds',
      'How far the slowest live reader is behind the newest update.',
      () => deps.updates.lag.furthestMs / 1_000,
    ],
    [
      'live_readers_unread_bytes',
      'Bytes sent to live readers and not yet taken.',
      () => deps.reads.unread.bytes,
    ],
    ['calls_held', 'Paused calls that someone waits for.', () => deps.held.count],
  ];
  for (const [name, help, read] of plain) {
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
    help: `Things that are paused; ${ALL}.`,
    labelNames: ['mode'],
    registers,
    collect() {
      for (const mode of PAUSE_MODES) this.set({ mode }, deps.control.pauses.count(mode));
    },
  });
  new Counter({
    name: 'switchboard_redis_data_lost_total',
    help: 'How often Redis has lost its data.',
    registers,
    collect() {
      this.reset();
      this.inc(deps.data.losses);
    },
  });
}

type LaneReport = ScalingReport['lanes'][number];

function byLane(lanes: LaneReport[], value: (lane: LaneReport) => number): Record<string, number> {
  return Object.fromEntries(lanes.map((lane) => [lane.lane, value(lane)]));
}
