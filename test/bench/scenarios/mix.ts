import type { DesignName } from '../designs/design.ts';
import { alternate, type Measured, measure } from '../measure.ts';
import { comparisonTable, complainOfFailures, ratiosTo } from '../report/compare.ts';
import type { ScenarioReport } from '../report/report.ts';
import { medianRatio } from '../report/statistics.ts';
import { type BenchCustomer, furnishCustomer } from '../rig/furnish-customer.ts';
import type { Rig } from '../rig/open-rig.ts';
import type { Bench, Scenario } from '../scenario.ts';
import { readRequests, sendRequests } from './requests.ts';

const WORKSPACES = 200;
const PROCESSES = 2;
const CONNECTIONS_PER_API = 256;
const FURNISHED_AT_ONCE = 8;

/** Many workspaces at once, over more than one process of each kind. */
export const mix: Scenario = {
  name: 'mix',
  summary: `a read and a send by turns in ${WORKSPACES} workspaces, ${PROCESSES} API processes, ${PROCESSES} workers`,
  quick: false,
  async run(bench) {
    const two = await measureAll(bench, PROCESSES, bench.options.designs);
    const one = await measureAll(bench, 1, ['service']);
    return toReport(two, one);
  },
};

async function measureAll(
  bench: Bench,
  processes: number,
  designs: readonly DesignName[],
): Promise<Measured> {
  const { options, say, openRig } = bench;
  const rig = await openRig({ designs, apis: processes, workers: processes });
  const customers = await furnishAll(bench, rig);
  const group = {
    name: 'all',
    connections: CONNECTIONS_PER_API * processes,
    requests: shuffle(
      customers.flatMap((customer) => [...readRequests(customer), ...sendRequests(customer)]),
    ),
  };
  const count = options.rounds ?? (options.quick ? 2 : 5);
  const measureMs = (options.seconds ?? (options.quick ? 2 : 5)) * 1_000;
  const measured = await alternate(rig, { count, patient: !options.quick }, async (started, round) => {
    say(`${processes} of each, round ${round} of ${count}: ${started.design.label}`);
    return measure(rig, started, {
      groups: [group],
      warmUpMs: measureMs / 2,
      measureMs,
    });
  });
  await rig.close();
  return measured;
}

async function furnishAll({ say }: Bench, { management }: Rig): Promise<BenchCustomer[]> {
  const organizationId = await management.createOrganization('many workspaces');
  const customers: BenchCustomer[] = [];
  for (let done = 0; done < WORKSPACES; done += FURNISHED_AT_ONCE) {
    say(`furnishing workspace ${done} of ${WORKSPACES}`);
    const names = Array.from({ length: FURNISHED_AT_ONCE }, (_, index) => `workspace ${done + index}`);
    customers.push(
      ...(await Promise.all(
        names.map((name) =>
          furnishCustomer(management, name, {
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

function toReport(two: Measured, one: Measured): ScenarioReport {
  const title = `${WORKSPACES} workspaces, ${PROCESSES} API processes and ${PROCESSES} workers`;
  const apiCpu = medianRatio(
    two.service.map(({ apiMicros }) => apiMicros),
    one.service.map(({ apiMicros }) => apiMicros),
  );
  const ratios: Record<string, number> = { 'mix.apiCpu/oneProcess': apiCpu };
  for (const other of ['usual', 'noQueue'] as const) {
    for (const [what, ratio] of Object.entries(ratiosTo(two, other) ?? {}))
      ratios[`mix.${what}/${other}`] = ratio;
  }
  return {
    about:
      `A read and a send in turn for each workspace, ${CONNECTIONS_PER_API} connections per API process. ` +
      `API CPU a call is ${apiCpu.toFixed(2)}× that of one API process with one worker and half the connections.`,
    tables: [
      comparisonTable(title, two),
      comparisonTable(`${WORKSPACES} workspaces, 1 API process and 1 worker`, one),
    ],
    charts: [],
    ratios,
    complaints: complainOfFailures(title, two),
    raw: { two, one },
  };
}
