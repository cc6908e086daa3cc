import { DESIGNS, type DesignName } from '../designs/design.ts';
import type { Measured, Measurement } from '../measure.ts';
import type { ReportTable } from './report.ts';
import { median, medianRatio, spread } from './statistics.ts';

type Value = (measurement: Measurement) => number;

/** Ratios of the service to another design, each the median over rounds measured next to each other. */
export interface Ratios {
  callsPerSecond: number;
  p50: number;
  p99: number;
  cpu: number;
}

const COLUMNS = [
  '',
  'calls/s',
  '±',
  'p50 ms',
  'p99 ms',
  'API µs',
  'worker µs',
  'Redis µs',
  'CPU µs',
  'Redis cmds',
  'script µs',
  'load CPU',
  'other CPU',
  'not 200',
];

/** CPU-µs of API, worker and Redis together per call. */
export function cpuMicros({ apiMicros, workerMicros, redisMicros }: Measurement): number {
  return apiMicros + workerMicros + redisMicros;
}

/** The service's ratios to another design; null where that was not measured. */
export function ratiosTo(measured: Measured, other: DesignName): Ratios | null {
  if (measured.service.length === 0 || measured[other].length === 0) return null;
  const ratio = (value: Value) => medianRatio(measured.service.map(value), measured[other].map(value));
  return {
    callsPerSecond: ratio(({ callsPerSecond }) => callsPerSecond),
    p50: ratio(({ p50Ms }) => p50Ms),
    p99: ratio(({ p99Ms }) => p99Ms),
    cpu: ratio(cpuMicros),
  };
}

/** What the service's queue costs in CPU above no queue, as a share of what the usual design's does; NaN if not measured. */
export function cpuAboveNoQueue({ service, usual, noQueue }: Measured): number {
  const above = (measurements: Measurement[]) =>
    measurements.map(
      (measurement, round) => cpuMicros(measurement) - cpuMicros(noQueue[round] as Measurement),
    );
  return noQueue.length === 0 || service.length === 0 || usual.length === 0
    ? Number.NaN
    : medianRatio(above(service), above(usual));
}

/** A table of the designs beside each other: the ratios first, then what they are made of. */
export function comparisonTable(title: string, measured: Measured): ReportTable {
  const rows: string[][] = [];
  for (const { name, label } of DESIGNS) {
    if (name === 'service') continue;
    const ratios = ratiosTo(measured, name);
    if (ratios) rows.push(ratioRow(`Switchboard ÷ ${label}`, ratios));
  }
  const above = cpuAboveNoQueue(measured);
  if (!Number.isNaN(above)) rows.push(aboveRow(above));
  for (const { name, label } of DESIGNS) {
    if (measured[name].length > 0) rows.push(designRow(label, measured[name]));
  }
  return { title, columns: COLUMNS, rows };
}

/** Complaints about answers other than 200. */
export function complainOfFailures(title: string, measured: Measured): string[] {
  return DESIGNS.flatMap(({ name, label }) => {
    const failures = sumFailures(measured[name]);
    return failures === '0' ? [] : [`${title}, ${label}: ${failures} answers were not 200`];
  });
}

function ratioRow(name: string, { callsPerSecond, p50, p99, cpu }: Ratios): string[] {
  const times = (ratio: number) => `${ratio.toFixed(2)}×`;
  return [
    name,
    times(callsPerSecond),
    '',
    times(p50),
    times(p99),
    '',
    '',
    '',
    times(cpu),
    '',
    '',
    '',
    '',
    '',
  ];
}

function aboveRow(above: number): string[] {
  const name = 'CPU above no queue: Switchboard ÷ usual design';
  return [name, '', '', '', '', '', '', '', `${above.toFixed(2)}×`, '', '', '', '', ''];
}

function designRow(label: string, measurements: Measurement[]): string[] {
  const mid = (value: Value, digits: number) => median(measurements.map(value)).toFixed(digits);
  return [
    label,
    mid(({ callsPerSecond }) => callsPerSecond, 0),
    `${(spread(measurements.map(({ callsPerSecond }) => callsPerSecond)) * 100).toFixed(0)} %`,
    mid(({ p50Ms }) => p50Ms, 2),
    mid(({ p99Ms }) => p99Ms, 2),
    mid(({ apiMicros }) => apiMicros, 1),
    mid(({ workerMicros }) => workerMicros, 1),
    mid(({ redisMicros }) => redisMicros, 1),
    mid(cpuMicros, 1),
    mid(({ redisCommands }) => redisCommands, 1),
    mid(({ scriptMicros }) => scriptMicros, 1),
    `${mid(({ loadBusy }) => loadBusy * 100, 0)} %`,
    `${mid(({ othersBusy }) => othersBusy * 100, 0)} %`,
    sumFailures(measurements),
  ];
}

function sumFailures(measurements: Measurement[]): string {
  const sums: Record<string, number> = {};
  for (const { failures } of measurements) {
    for (const [status, count] of Object.entries(failures)) sums[status] = (sums[status] ?? 0) + count;
  }
  const parts = Object.entries(sums).map(([status, count]) => `${count}× ${status}`);
  return parts.length === 0 ? '0' : parts.join(', ');
}
