import type { Scenario } from '../scenario.ts';
import {
  type FoundSurge,
  HOLD_MS,
  measureCapacity,
  offerSurge,
  type Surge,
  surgeBounds,
  surgeRig,
} from './surge.ts';
import { reportSurge } from './surge-report.ts';

// So long the code that refuses calls has to run until it is compiled.
const FIRST_SURGE_MS = 1_000;

interface Length {
  surgeMs: number;
  afterMs: number;
}

/** Ten times what a worker can do, for five seconds, and what it takes to get over it. */
export const burst = surgeScenario({
  name: 'burst',
  timesCapacity: 10,
  seconds: { quick: 15, full: 90 },
  quick: { surgeMs: 500, afterMs: 2_500 },
  full: { surgeMs: 5_000, afterMs: 15_000 },
});

/** Five times what a worker can do, for a minute. */
export const overload = surgeScenario({
  name: 'overload',
  timesCapacity: 5,
  seconds: { quick: 18, full: 205 },
  quick: { surgeMs: 2_500, afterMs: 2_500 },
  full: { surgeMs: 60_000, afterMs: 12_000 },
});

function surgeScenario(spec: {
  name: string;
  timesCapacity: number;
  seconds: Scenario['seconds'];
  quick: Length;
  full: Length;
}): Scenario {
  const { name, timesCapacity, seconds } = spec;
  return {
    name,
    summary: `${timesCapacity} times the capacity for ${spec.full.surgeMs / 1_000} s, with a method that holds its worker for ${HOLD_MS} ms`,
    seconds,
    async run({ options, say, openRig }) {
      const bounds = surgeBounds(options.quick);
      const length = options.quick ? spec.quick : spec.full;
      const surgeMs = options.seconds === undefined ? length.surgeMs : options.seconds * 1_000;
      const rig = await openRig({
        ...surgeRig(bounds),
        designs: options.designs.filter((design) => design !== 'noQueue'),
      });
      // No more than gets done in half of its deadline: nothing of it is left when the next one begins.
      const firstSurgeMs = Math.min(FIRST_SURGE_MS, bounds.deadlineMs / timesCapacity / 2);
      const found: FoundSurge[] = [];
      for (const started of rig.designs) {
        const { label } = started.design;
        say(`${label}, measuring its capacity`);
        const capacity = await measureCapacity(rig, started, options.quick ? 1_000 : 4_000);
        const ratePerSecond = timesCapacity * capacity;
        const surge: Surge = { ...bounds, ratePerSecond, surgeMs, afterMs: length.afterMs };
        if (!options.quick) say(`${label}, a first surge, to warm up`);
        const first = options.quick
          ? undefined
          : await offerSurge(rig, started, { ...surge, surgeMs: firstSurgeMs, afterMs: 0 });
        say(`${label}, ${Math.round(ratePerSecond)} calls/s for ${surgeMs / 1_000} s`);
        const outcome = await offerSurge(rig, started, surge);
        found.push({ name: started.design.name, label, capacity, first, surge, outcome });
      }
      return reportSurge(name, timesCapacity, found);
    },
  };
}
