import { Random } from '../../support/random.ts';

/** How often each kind is chosen, and what it is done to. */
const KINDS = {
  'kill-api': { weight: 2, target: 'api' },
  'kill-worker': { weight: 3, target: 'worker' },
  'stop-worker': { weight: 1, target: 'worker' },
  'pause-api': { weight: 2, target: 'api' },
  'pause-worker': { weight: 3, target: 'worker' },
  'shift-clock': { weight: 2, target: 'node' },
  'cut-network': { weight: 3, target: 'link' },
  'swallow-network': { weight: 2, target: 'link' },
  'lose-answers': { weight: 2, target: 'link' },
  'forget-network': { weight: 1, target: 'link' },
  'slow-network': { weight: 2, target: 'link' },
  'kill-redis': { weight: 1, target: 'redis' },
  'stop-redis': { weight: 1, target: 'redis' },
  'pause-redis': { weight: 1, target: 'redis' },
  'client-kill': { weight: 2, target: 'redis' },
  'client-pause': { weight: 1, target: 'redis' },
  'script-flush': { weight: 2, target: 'redis' },
} as const;

export type DisturbanceKind = keyof typeof KINDS;

/** All kinds of disturbance. */
export const DISTURBANCES = Object.keys(KINDS) as DisturbanceKind[];

/** One thing to do to the service: when (ms since calls began), to what, and for how long. */
export interface PlannedDisturbance {
  at: number;
  kind: DisturbanceKind;
  /** `api-1`, `worker-2`, `redis`; the network's is the process whose connections to Redis suffer. */
  target: string;
  /** How long it lasts; a killed process is started again after it. */
  ms: number;
  /** What is special to the kind: ms of delay or of the clock's jump, a type of connection, what a pause holds back. */
  detail: number | string;
}

export interface Crew {
  apis: number;
  workers: number;
}

const HAPPEN_AT_ONCE: ReadonlySet<DisturbanceKind> = new Set([
  'cut-network',
  'forget-network',
  'client-kill',
  'script-flush',
]);

const QUIET_AT_START_MS = 1_500;
const QUIET_AT_END_MS = 1_000;
const START_MS = 2_500;
const SHORT_MAX_MS = 1_200;
const LONG_MAX_MS = 8_000;
// Longer than a call may take and the ledger then lasts: who wakes up finds neither.
const ASLEEP_MAX_MS = 16_000;

/** The disturbances of a run: the same ones for the same seed, length, crew and kinds. */
export function planChaos(
  seed: number,
  durationMs: number,
  crew: Crew,
  kinds: readonly DisturbanceKind[] = DISTURBANCES,
): PlannedDisturbance[] {
  const random = new Random(seed);
  const choices = kinds.flatMap((kind) => Array.from({ length: KINDS[kind].weight }, () => kind));
  const busyUntil = new Map<string, number>();
  const plan: PlannedDisturbance[] = [];
  for (let at = QUIET_AT_START_MS; ; ) {
    at += 200 + Math.floor(random.next() ** 2 * 3_000);
    if (at > durationMs - QUIET_AT_END_MS || choices.length === 0) return plan;
    const kind = random.pick(choices);
    const target = random.pick(targetsOf(KINDS[kind].target, crew));
    const planned = { at, kind, target, ms: lengthOf(kind, random), detail: detailOf(kind, random) };
    // What is down or asleep already is left alone.
    if ((busyUntil.get(target) ?? 0) > at) continue;
    const isStarted = kind.startsWith('kill') || kind === 'stop-worker' || kind === 'stop-redis';
    busyUntil.set(target, at + planned.ms + (isStarted ? START_MS : 100));
    plan.push(planned);
  }
}

/** Every second a worker is removed, killed or asked to stop, or the one that was removed a second ago is added again. */
export function planChurn(seed: number, durationMs: number, { workers }: Crew): PlannedDisturbance[] {
  const random = new Random(seed);
  const crew = targetsOf('worker', { apis: 0, workers });
  const plan: PlannedDisturbance[] = [];
  for (let second = QUIET_AT_START_MS; second + 1_900 < durationMs - QUIET_AT_END_MS; second += 2_000) {
    const at = second + random.below(900);
    const kind = random.next() < 0.5 ? 'kill-worker' : 'stop-worker';
    // The one that was added last may still be starting.
    const last = plan.at(-1)?.target;
    const target = random.pick(crew.filter((name) => name !== last));
    plan.push({ at, kind, target, ms: second + 1_000 + random.below(900) - at, detail: '' });
  }
  return plan;
}

function targetsOf(target: (typeof KINDS)[DisturbanceKind]['target'], { apis, workers }: Crew): string[] {
  const name = (part: string, count: number) => Array.from({ length: count }, (_, i) => `${part}-${i + 1}`);
  if (target === 'redis') return ['redis'];
  if (target === 'api') return name('api', apis);
  if (target === 'worker') return name('worker', workers);
  return [...name('api', apis), ...name('worker', workers)];
}

function lengthOf(kind: DisturbanceKind, random: Random): number {
  if (HAPPEN_AT_ONCE.has(kind)) return 0;
  if (kind === 'kill-redis' || kind === 'stop-redis') return 50 + random.below(1_500);
  if (kind === 'client-pause') return 100 + random.below(2_000);
  const isLong = random.next() < 0.25;
  const longest = kind === 'pause-worker' ? ASLEEP_MAX_MS : LONG_MAX_MS;
  return 100 + random.below(isLong ? longest - 100 : SHORT_MAX_MS);
}

function detailOf(kind: DisturbanceKind, random: Random): number | string {
  const number = random.next();
  switch (kind) {
    case 'shift-clock':
      return Math.round((number - 0.5) * 20 * 60_000);
    case 'slow-network':
      return 5 + Math.floor(number * 300);
    case 'lose-answers':
      return 50 + Math.floor(number * 200);
    case 'client-kill':
      return number < 0.7 ? 'normal' : 'pubsub';
    case 'client-pause':
      return number < 0.5 ? 'ALL' : 'WRITE';
    default:
      return '';
  }
}
