import { DESIGNS, type DesignName } from '../designs/design.ts';
import type { Measured, Measurement } from '../measure.ts';
import type { Finding } from './finding.ts';
import type { ReportTable, ServiceFigures } from './report.ts';
import { median, ratiosOf, spread } from './statistics.ts';

type Value = (measurement: Measurement) => number;

/** Ratios of the service to another design, one for each round of both next to each other. */
export interface Ratios {
  callsPerSecond: number[];
  p50: number[];
  p99: number[];
  cpu: number[];
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
  const ratio = (value: Value) => ratiosOf(measured.service.map(value), measured[other].map(value));
  return {
    callsPerSecond: ratio(({ callsPerSecond }) => callsPerSecond),
    p50: ratio(({ p50Ms }) => p50Ms),
    p99: ratio(({ p99Ms }) => p99Ms),
    cpu: ratio(cpuMicros),
  };
}

/** What the service's queue costs in CPU above no queue, as a share of what the usual design's does, by round; empty if not measured. */
export function cpuAboveNoQueue({ service, usual, noQueue }: Measured): number[] {
  const above = (measurements: Measurement[]) =>
    measurements.map(
      (measurement, round) => cpuMicros(measurement) - cpuMicros(noQueue[round] as Measurement),
    );
  return noQueue.length === 0 || service.length === 0 || usual.length === 0
    ? []
    : ratiosOf(above(service), above(usual));
}

/** What the designs beside each other say of the service; `key` begins the names. */
export function comparisonFindings(key: string, subject: string, measured: Measured): Finding[] {
  const findings: Finding[] = [];
  const add = (what: string, text: string, values: number[], better: Finding['better']) => {
    if (values.length === 0) return;
    findings.push({ name: `${key}.${what}`, subject, text, values, unit: '×', better });
  };
  for (const { name, label } of DESIGNS) {
    const ratios = name === 'service' ? null : ratiosTo(measured, name);
    if (!ratios) continue;
    add(`callsPerSecond/${name}`, `calls/s ÷ ${label}`, ratios.callsPerSecond, 'higher');
    add(`p50/${name}`, `p50 ÷ ${label}`, ratios.p50, 'lower');
    add(`p99/${name}`, `p99 ÷ ${label}`, ratios.p99, 'lower');
    add(`cpu/${name}`, `CPU a call ÷ ${label}`, ratios.cpu, 'lower');
  }
  const text = 'CPU a call above no queue ÷ usual design';
  add('cpuAboveNoQueue/usual', text, cpuAboveNoQueue(measured), 'lower');
  return findings;
}

/** What the service itself came to. */
export function serviceFigures(subject: string, { service }: Measured): ServiceFigures {
  const mid = (value: Value) => median(service.map(value));
  return {
    subject,
    callsPerSecond: mid(({ callsPerSecond }) => callsPerSecond),
    p50: mid(({ p50Ms }) => p50Ms),
    p99: mid(({ p99Ms }) => p99Ms),
    cpu: mid(cpuMicros),
  };
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
  if (above.length > 0) rows.push(aboveRow(above));
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
  const rates = `${(spread(callsPerSecond) * 100).toFixed(0)} %`;
  return [
    name,
    times(callsPerSecond),
    rates,
    times(p50),
    times(p99),
    ...['', '', '', times(cpu)],
    ...['', '', '', '', ''],
  ];
}

function aboveRow(above: number[]): string[] {
  const name = 'CPU above no queue: Switchboard ÷ usual design';
  return [name, ...['', '', '', '', '', '', ''], times(above), ...['', '', '', '', '']];
}

function times(ratios: number[]): string {
  return `${median(ratios).toFixed(2)}×`;
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
