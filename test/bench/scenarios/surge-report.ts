import type { LineChart } from '../report/chart.ts';
import type { Finding } from '../report/finding.ts';
import type { ScenarioReport } from '../report/report.ts';
import { type FoundSurge, HOLD_MS } from './surge.ts';

const COLUMNS = [
  '',
  'capacity/s',
  'goodput/s',
  'goodput ÷ capacity',
  'offered',
  'answered 200',
  'p50 ms',
  'p99 ms',
  'after deadline',
  'refused',
  'refusal p99 ms',
  'refusal max ms',
  'the same, open connection',
  'the same, first surge',
  'other failures',
  'all done after ms',
  'probe p99 ms',
  'recovery ms',
  'load lag p99 ms',
  'load lag max ms',
  'held for a connection',
  'others busy',
];

/** What a scenario of surges has found. */
export function reportSurge(key: string, timesCapacity: number, found: FoundSurge[]): ScenarioReport {
  const service = found.find(({ name }) => name === 'service');
  const { surgeMs = 0, deadlineMs = 0, inFlightMax = 0 } = found[0]?.surge ?? {};
  return {
    about:
      `Open loop: for ${surgeMs / 1_000} s calls come at ${timesCapacity} times the rate that a worker gets done, whatever comes back. ` +
      `A call holds its worker for ${HOLD_MS} ms without CPU. Its deadline is ${deadlineMs / 1_000} s, and of Switchboard ` +
      `\`CALLS_IN_FLIGHT_MAX\` is ${inFlightMax}, about what the worker does until then. A probe makes 20 reads a second of the same ` +
      'workspace all the while; recovery is the time from the end of the surge until they come as fast as before it, but for one quarter of a second that is slow by itself. Times count ' +
      'from the moment a call was due, so that a wait in the load process counts as well; those of refusals count from when it was ' +
      'sent, and the opening of a connection for it counts too: the slowest on one that was open is given beside it, for Node accepts ' +
      'one connection a turn of its event loop. In a full run a first surge of a second at most comes before, to warm the processes up, ' +
      'and its slowest refusal is given, too. The lag is how late the load process itself came to calls that were due; a call is held when a design ' +
      'keeps every connection waiting. Others busy is what anything else used, in parts of one core, the host of a virtual machine included.',
    findings: service ? toFindings(key, service) : [],
    tables: [{ title: `${timesCapacity} times the capacity`, columns: COLUMNS, rows: found.map(toRow) }],
    charts: found.map((one) => toChart(key, timesCapacity, one)),
    complaints: service ? complain(key, service) : [],
    raw: found,
  };
}

function toRow({ label, capacity, first, surge: { afterMs }, outcome }: FoundSurge): string[] {
  const { offered, goodput, surge, probe, lastSuccessMs, recoveryMs, othersBusy } = outcome;
  const { 503: unavailable = 0, 429: limited = 0, ...others } = surge.failures;
  const rest = Object.entries({
    ...others,
    ...(surge.unanswered > 0 ? { unanswered: surge.unanswered } : {}),
  });
  return [
    label,
    capacity.toFixed(0),
    goodput.toFixed(0),
    (goodput / capacity).toFixed(2),
    String(offered),
    `${((surge.answered / offered) * 100).toFixed(1)} %`,
    surge.p50Ms.toFixed(0),
    surge.p99Ms.toFixed(0),
    String(surge.tooLate),
    String(unavailable + limited),
    orNone(surge.refusedP99Ms),
    orNone(surge.refusedMaxMs),
    orNone(surge.refusedOpenMaxMs),
    orNone(first?.surge.refusedMaxMs ?? Number.NaN),
    rest.map(([status, count]) => `${count}× ${status}`).join(', ') || '0',
    lastSuccessMs.toFixed(0),
    probe.p99Ms.toFixed(0),
    Number.isFinite(recoveryMs) ? recoveryMs.toFixed(0) : `> ${afterMs}`,
    surge.lagP99Ms.toFixed(1),
    surge.lagMaxMs.toFixed(1),
    String(surge.held),
    `${(othersBusy * 100).toFixed(0)} %`,
  ];
}

function toFindings(key: string, { capacity, outcome }: FoundSurge): Finding[] {
  const { goodput, surge, probe, recoveryMs } = outcome;
  const ms = { unit: 'ms', better: 'lower' } as const;
  const findings: (Omit<Finding, 'name' | 'subject' | 'text' | 'values'> & {
    what: string;
    text: string;
    value: number;
  })[] = [
    {
      what: 'goodput/capacity',
      text: 'goodput ÷ capacity',
      value: goodput / capacity,
      unit: '×',
      better: 'higher',
    },
    { what: 'refusedMax', text: 'slowest refusal', value: surge.refusedMaxMs || 0, ...ms },
    {
      what: 'tooLate',
      text: 'successes after the deadline',
      value: surge.tooLate + probe.tooLate,
      unit: 'calls',
      better: 'lower',
      limit: 0,
    },
    { what: 'recovery', text: 'until latency is normal again', value: recoveryMs, ...ms },
    { what: 'loadLag', text: 'lag of the load process, p99', value: surge.lagP99Ms, ...ms },
  ];
  return findings.map(({ what, text, value, ...rest }) => ({
    name: `${key}.${what}`,
    subject: key,
    text,
    values: [value],
    ...rest,
  }));
}

function orNone(ms: number): string {
  return Number.isNaN(ms) ? '' : ms.toFixed(1);
}

function toChart(key: string, timesCapacity: number, { name, label, outcome }: FoundSurge): LineChart {
  return {
    kind: 'lines',
    file: `${key}-${name}.svg`,
    title: `${label} at ${timesCapacity} times its capacity: calls per second`,
    xLabel: 'seconds',
    series: (['offered', 'completed'] as const).map((what) => ({
      label: what === 'offered' ? 'offered' : 'answered with 200',
      points: outcome.surge.timeline.map((point): [number, number] => [point.atMs / 1_000, point[what] * 4]),
    })),
  };
}

function complain(key: string, { outcome: { surge } }: FoundSurge): string[] {
  const complaints: string[] = [];
  if (surge.unanswered > 0) complaints.push(`${key}: ${surge.unanswered} calls got no answer`);
  if (surge.held > 0) complaints.push(`${key}: ${surge.held} calls waited for a connection of the load`);
  return complaints;
}
