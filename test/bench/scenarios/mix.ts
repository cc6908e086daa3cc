import { alternate, type Measured, type Measurement, measure } from '../measure.ts';
import {
  comparisonFindings,
  comparisonTable,
  complainOfFailures,
  serviceFigures,
} from '../report/compare.ts';
import type { Finding } from '../report/finding.ts';
import type { ScenarioReport } from '../report/report.ts';
import { median, ratiosOf, spread } from '../report/statistics.ts';
import type { Rig } from '../rig/open-rig.ts';
import { type BenchCustomer, seedCustomer } from '../rig/seed-customer.ts';
import type { Bench, Scenario } from '../scenario.ts';
import { readRequests, sendRequests } from './requests.ts';

const WORKSPACES = 200;
const QUICK_WORKSPACES = 60;
const PROCESSES = 2;
const CONNECTIONS_PER_API = 256;
const SEEDED_AT_ONCE = 20;

// Of what all processes together get done in a closed loop, so much that none is crowded.
const LOAD_SHARE = 0.5;

/** Many workspaces at once, over more than one process of each kind. */
export const mix: Scenario = {
  name: 'mix',
  summary: `a read and a send by turns in ${WORKSPACES} workspaces, ${PROCESSES} API processes, ${PROCESSES} workers`,
  seconds: { quick: 16, full: 125 },
  async run(bench) {
    const rig = await bench.openRig({ apis: PROCESSES, workers: PROCESSES });
    const customers = await seedAll(bench, rig);
    const requests = shuffle(
      customers.flatMap((customer) => [...readRequests(customer), ...sendRequests(customer)]),
    );
    const measured = await measureDesigns(bench, rig, requests);
    const loads = await measureLoads(bench, rig, requests, measured);
    return toReport(customers.length, measured, loads);
  },
};

interface Loads {
  /** Calls per second offered to an API process. */
  ratePerApi: number;
  all: Measurement[];
  one: Measurement[];
}

function measureDesigns({ options, say }: Bench, rig: Rig, requests: string[]): Promise<Measured> {
  const group = { name: 'all', connections: CONNECTIONS_PER_API * PROCESSES, requests };
  const count = options.rounds ?? (options.quick ? 2 : 5);
  const measureMs = (options.seconds ?? (options.quick ? 0.7 : 3)) * 1_000;
  return alternate(rig, { count, patient: !options.quick }, async (started, round) => {
    say(`${PROCESSES} of each, round ${round} of ${count}: ${started.design.label}`);
    return measure(rig, started, { groups: [group], warmUpMs: measureMs / 2, measureMs });
  });
}

// The same calls per second for each API process, with all of them at work and with one. In a closed loop that would not be so:
// all processes share the machine's cores.
async function measureLoads(
  { options, say }: Bench,
  rig: Rig,
  requests: string[],
  measured: Measured,
): Promise<Loads> {
  const started = rig.designs.find(({ design }) => design.name === 'service');
  const capacity = median(measured.service.map(({ callsPerSecond }) => callsPerSecond));
  const loads: Loads = { ratePerApi: (LOAD_SHARE * capacity) / PROCESSES, all: [], one: [] };
  if (!started) return loads;
  const count = options.rounds ?? (options.quick ? 1 : 5);
  const measureMs = (options.seconds ?? (options.quick ? 1 : 3)) * 1_000;
  for (let round = 1; round <= count; round += 1) {
    for (const [name, apis] of [['all', PROCESSES] as const, ['one', 1] as const]) {
      say(`equal load, round ${round} of ${count}: ${apis} of ${PROCESSES} API processes`);
      const group = {
        name: 'all',
        connections: CONNECTIONS_PER_API * apis,
        requests,
        ratePerSecond: loads.ratePerApi * apis,
      };
      const part = { ...started, apis: started.apis.slice(0, apis), ports: started.ports.slice(0, apis) };
      loads[name].push(await measure(rig, part, { groups: [group], warmUpMs: measureMs / 2, measureMs }));
    }
  }
  return loads;
}

async function seedAll({ options, say }: Bench, { management }: Rig): Promise<BenchCustomer[]> {
  const organizationId = await management.createOrganization('many workspaces');
  const customers: BenchCustomer[] = [];
  const workspaces = options.quick ? QUICK_WORKSPACES : WORKSPACES;
  for (let done = 0; done < workspaces; done += SEEDED_AT_ONCE) {
    say(`seeding workspace ${done} of ${workspaces}`);
    const names = Array.from({ length: SEEDED_AT_ONCE }, (_, index) => `workspace ${done + index}`);
    customers.push(
      ...(await Promise.all(
        names.map((name) =>
          seedCustomer(management, name, {
            organizationId,
            voiceMessages: 1,
          }),
        ),
      )),
    );
  }
  return customers;
}

// The same order every time, but one in which no workspace has its calls together.
function shuffle<T>(items: T[]): T[] {
  const shuffled = [...items];
  let seed = 1;
  for (let at = shuffled.length - 1; at > 0; at -= 1) {
    seed = (seed * 16_807) % 2_147_483_647;
    const other = seed % (at + 1);
    [shuffled[at], shuffled[other]] = [shuffled[other] as T, shuffled[at] as T];
  }
  return shuffled;
}

function toReport(workspaces: number, measured: Measured, { ratePerApi, all, one }: Loads): ScenarioReport {
  const title = `${workspaces} workspaces, ${PROCESSES} API processes and ${PROCESSES} workers`;
  const apiMicros = (measurements: Measurement[]) => measurements.map((one) => one.apiMicros);
  const equal = (name: string, measurements: Measurement[]) => [
    name,
    median(measurements.map(({ callsPerSecond }) => callsPerSecond)).toFixed(0),
    median(apiMicros(measurements)).toFixed(1),
    `${(spread(apiMicros(measurements)) * 100).toFixed(0)} %`,
    median(measurements.map(({ p99Ms }) => p99Ms)).toFixed(1),
  ];
  const scaling: Finding = {
    name: 'mix.apiCpu/oneProcess',
    subject: 'mix',
    text: `API CPU a call with ${PROCESSES} API processes ÷ with one, at equal load for each`,
    values: ratiosOf(apiMicros(all), apiMicros(one)),
    unit: '×',
    better: 'lower',
    limit: 1.25,
  };
  return {
    about:
      `A read and a send in turn for each workspace, ${CONNECTIONS_PER_API} connections per API process in a closed loop. Then, in an ` +
      `open loop, ${Math.round(ratePerApi)} calls/s for each API process: with all of them at work, and with one.`,
    findings: [...comparisonFindings('mix', 'mix', measured), ...(all.length > 0 ? [scaling] : [])],
    service: [serviceFigures('mix', measured)],
    tables: [
      comparisonTable(title, measured),
      {
        title: 'The same load for each API process',
        columns: ['', 'calls/s', 'API µs', '±', 'p99 ms'],
        rows: all.length === 0 ? [] : [equal(`${PROCESSES} API processes`, all), equal('one', one)],
      },
    ],
    charts: [],
    complaints: complainOfFailures(title, measured),
    raw: { measured, all, one },
  };
}
