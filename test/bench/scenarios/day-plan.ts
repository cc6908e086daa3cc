/** How long a quick call and a slow one hold their worker: so long that the workers are what is short, and not this machine's cores. */
export const HOLD_MS = 10;
export const SLOW_MS = 50;

/** Calls that are offered in addition to those of other layers, from a second of the day to another. */
export interface Layer {
  name: string;
  perSecond: number;
  from: number;
  to: number;
  isSlow?: boolean;
}

/** The day in seconds; what is offered at a time is the sum of its layers. */
export const LAYERS: readonly Layer[] = [
  { name: 'quiet', perSecond: 20, from: 0, to: 420 },
  { name: 'rise 1', perSecond: 40, from: 60, to: 330 },
  { name: 'rise 2', perSecond: 60, from: 80, to: 330 },
  { name: 'rise 3', perSecond: 60, from: 100, to: 330 },
  { name: 'burst', perSecond: 180, from: 150, to: 170 },
  { name: 'slow', perSecond: 15, from: 190, to: 260, isSlow: true },
  { name: 'overload', perSecond: 320, from: 280, to: 320 },
];

/** When a worker is killed. */
export const CRASH_AT = 225;

/** How long the day is. */
export const DAY_SECONDS = Math.max(...LAYERS.map(({ to }) => to));

/** ms of a full run for each second of the day. */
export const FULL_PACE = 1_000;

/** How many workers' time the calls take that are offered at a second of the day. */
export function workAt(second: number): number {
  return LAYERS.filter(({ from, to }) => from <= second && second < to).reduce(
    (sum, { perSecond, isSlow = false }) => sum + (perSecond * (isSlow ? SLOW_MS : HOLD_MS)) / 1_000,
    0,
  );
}
