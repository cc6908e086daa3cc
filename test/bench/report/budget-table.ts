import type { Measurement } from '../measure.ts';
import { cpuMicros } from './compare.ts';
import type { ReportTable } from './report.ts';
import { median, spread } from './statistics.ts';

// Less is rounding, or nothing that a call causes: heartbeats, clocks, look-ups once a second.
const CALLS_MIN = 0.005;
const MICROS_MIN = 0.05;

// What the bench asks itself.
const OWN = /^(config|info)/;

/** What a call of the service costs, part by part: CPU by process, and Redis' time and runs by command. */
export function budgetTable(title: string, measurements: readonly Measurement[]): ReportTable {
  const row = (name: string, value: (measurement: Measurement) => number, runs = '') => {
    const values = measurements.map(value);
    return [name, median(values).toFixed(1), `${(spread(values) * 100).toFixed(0)} %`, runs];
  };
  const mid = (value: (measurement: Measurement) => number) => median(measurements.map(value));
  const commands = [...new Set(measurements.flatMap(({ byCommand }) => Object.keys(byCommand)))]
    .map((name) => ({
      name,
      calls: mid(({ byCommand }) => byCommand[name]?.calls ?? 0),
      micros: mid(({ byCommand }) => byCommand[name]?.micros ?? 0),
    }))
    .filter(({ name, calls, micros }) => !OWN.test(name) && calls >= CALLS_MIN && micros >= MICROS_MIN)
    .sort((a, b) => b.micros - a.micros);
  return {
    title: `Budget of a call: ${title}`,
    columns: ['', 'µs a call', '±', 'runs a call'],
    rows: [
      row('API process, CPU', ({ apiMicros }) => apiMicros),
      row('worker process, CPU', ({ workerMicros }) => workerMicros),
      row(
        'Redis process, CPU',
        ({ redisMicros }) => redisMicros,
        mid(({ redisCommands }) => redisCommands).toFixed(2),
      ),
      row('together, CPU', cpuMicros),
      ...commands.map(({ name, calls }) =>
        row(`Redis: ${name}`, ({ byCommand }) => byCommand[name]?.micros ?? 0, calls.toFixed(3)),
      ),
    ],
  };
}
