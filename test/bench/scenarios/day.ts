import { every } from '../../../src/every.ts';
import { followScaling, type ScalingFigures } from '../../../src/launch/processes/follow-scaling.ts';
import { openLogger } from '../../../src/logger.ts';
import { measure } from '../measure.ts';
import type { StartedDesign } from '../rig/start-design.ts';
import type { Scenario } from '../scenario.ts';
import { CRASH_AT, DAY_SECONDS, FULL_PACE, HOLD_MS, LAYERS, SLOW_MS } from './day-plan.ts';
import { reportDay, type Sample } from './day-report.ts';
import { holdRequests, slowRequests } from './requests.ts';
import { holdingRig } from './surge.ts';
import { WorkerCrew } from './worker-crew.ts';

const MOST_WORKERS = 10;
const WARM_UP_MS = 5_000;
const SAMPLE_MS = 500;
const CONNECTIONS = 400;
// Admission is to refuse nothing that the target allows.
const ADMISSION_MS = '5000';

// Where nobody can say how long calls wait, they wait too long.
const UNKNOWN = { oldestWaitMs: Number.POSITIVE_INFINITY, desiredWorkers: 0, targetWaitMs: 0 };

/** A scripted day with an autoscaler that knows nothing but `/v1/scaling`. */
export const day: Scenario = {
  name: 'day',
  summary:
    'quiet, rise, burst, slow calls, a crash, overload, quiet: an autoscaler starts and drains workers',
  seconds: { quick: DAY_SECONDS / 4 + 15, full: DAY_SECONDS + 15 },
  async run({ options, say, openRig }) {
    const rig = await openRig({
      ...holdingRig(HOLD_MS, { BENCH_SLOW_MS: String(SLOW_MS), ADMISSION_MAX_WAIT_MS: ADMISSION_MS }),
      designs: ['service'],
    });
    const started = rig.designs[0] as StartedDesign;
    const crew = new WorkerCrew(started);
    const pace = options.quick ? FULL_PACE / 4 : FULL_PACE;
    const samples: Sample[] = [];
    const read = () => rig.management.get<ScalingFigures & { targetWaitMs: number }>('/v1/scaling');
    const following = followScaling({
      read,
      counts: { min: 1, max: MOST_WORKERS },
      workers: crew,
      log: openLogger({ LOG_LEVEL: 'silent' }, 'day'),
    });
    let beganAt = performance.now();
    const sampling = every(
      SAMPLE_MS,
      async () => {
        const { oldestWaitMs, desiredWorkers, targetWaitMs } = await read().catch(() => UNKNOWN);
        const atMs = performance.now() - beganAt;
        samples.push({ atMs, oldestWaitMs, desiredWorkers, targetWaitMs, workers: crew.processes });
        say(`${(atMs / 1_000).toFixed(0)} s of ${(DAY_SECONDS * pace) / 1_000}: ${crew.count} workers`);
      },
      { onFailure: () => undefined },
    );
    const crash = setTimeout(() => crew.kill(), WARM_UP_MS + CRASH_AT * pace);
    try {
      setTimeout(() => {
        beganAt = performance.now();
      }, WARM_UP_MS);
      const measured = await measure(rig, started, {
        groups: LAYERS.map(({ name, perSecond, from, to, isSlow = false }) => ({
          name,
          connections: CONNECTIONS,
          requests: isSlow ? slowRequests(rig.customer) : holdRequests(rig.customer),
          ratePerSecond: perSecond,
          ...(from > 0 && { startAfterMs: from * pace }),
          stopAfterMs: to * pace,
        })),
        warmUpMs: WARM_UP_MS,
        measureMs: DAY_SECONDS * pace,
        timeline: true,
      });
      return reportDay({
        groups: measured.groups,
        samples: samples.filter(({ atMs }) => atMs >= 0 && atMs <= DAY_SECONDS * pace),
        changes: crew.changes.map(({ atMs, by }) => ({ atMs: atMs - beganAt, by })),
        pace,
        othersBusy: measured.othersBusy,
      });
    } finally {
      clearTimeout(crash);
      await Promise.all([following.stop(), sampling.stop()]);
    }
  },
};
