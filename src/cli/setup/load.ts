import { readText } from '../../client/http/send.ts';
import type { Context } from './context.ts';

/** The load of the API processes at an address. Rates and times cover the interval since the last sample. */
export interface Load {
  workers: string;
  inFlight: number;
  waiting: number;
  oldestWaitMs: number;
  perSecond: number;
  failedPerSecond: number;
  refusedPerSecond: number;
  meanMs: number;
  /** Permits in use, and permits in all. */
  window: string;
  memoryMiB: number;
}

type Readiness = { checks: Record<string, string> };

interface Sample {
  at: number;
  workers: string;
  /** The sum of a metric over its labels, except lines whose labels contain the text `without`. */
  sum(name: string, without?: string): number;
  /** The largest of the values of a metric. */
  max(name: string): number;
}

const MIB = 1024 * 1024;
const PATIENCE_MS = 10_000;

/** Reads the metrics of an API process, and of those that share its port. */
export async function readSample({ http: { target } }: Context): Promise<Sample> {
  const read = (path: string) => readText(target, path, AbortSignal.timeout(PATIENCE_MS));
  const text = await read('/metrics');
  // While the process is not ready, the answer is an error.
  const ready = await read('/readyz')
    .then((answer) => JSON.parse(answer) as Readiness)
    .catch(() => null);
  const found = [...text.matchAll(/^(\w+)(\{[^}]*\})? (\S+)$/gm)];
  return {
    at: performance.now(),
    workers: ready?.checks.workers ?? 'unknown',
    sum: (name, without) =>
      found
        .filter(
          ([, metric, labels]) => metric === name && !(without !== undefined && labels?.includes(without)),
        )
        .reduce((sum, [, , , value]) => sum + Number(value), 0),
    max: (name) =>
      found.reduce((max, [, metric, , value]) => (metric === name ? Math.max(max, Number(value)) : max), 0),
  };
}

/** The load at a sample, with rates since another; without one, rates are 0. */
export function loadBetween(before: Sample | null, now: Sample): Load {
  const value = (name: string) => now.sum(`switchboard_${name}`);
  const since = (name: string, without?: string) =>
    before === null
      ? 0
      : // The counters of a restarted process begin at 0.
        Math.max(0, now.sum(`switchboard_${name}`, without) - before.sum(`switchboard_${name}`, without));
  const seconds = before === null ? 1 : (now.at - before.at) / 1_000;
  const rate = (count: number) => Math.round((count / seconds) * 10) / 10;
  const calls = since('call_duration_seconds_count');
  return {
    workers: now.workers,
    inFlight: value('calls_in_flight'),
    waiting: value('calls_waiting'),
    oldestWaitMs: Math.round(now.max('switchboard_calls_oldest_wait_seconds') * 1_000),
    perSecond: rate(since('calls_total')),
    failedPerSecond: rate(since('calls_total', 'outcome="ok"')),
    refusedPerSecond: rate(since('calls_refused_total')),
    meanMs: calls === 0 ? 0 : Math.round((since('call_duration_seconds_sum') / calls) * 1_000),
    window: `${value('window_calls')}/${value('window_places')}`,
    memoryMiB: Math.round(now.sum('process_resident_memory_bytes') / MIB),
  };
}
