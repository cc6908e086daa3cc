import { type Finding, keepsLimit } from './finding.ts';
import { median, spread } from './statistics.ts';

/** A ratio as it was recorded, and how far from it noise alone may take it, as a share of it. */
export interface Floor {
  ratio: number;
  noise: number;
}

/** The recorded ratios by the names of their findings. */
export type Floors = Record<string, Floor>;

// Less is within what the same build shows from one quiet run to the next.
const NOISE_MIN = 0.15;

// With more the floor would guard nothing.
const NOISE_MAX = 0.5;

/**
 * A sentence for each finding that is worse than its floor by more than the noise, or beyond what is promised, and one when no
 * ratio that was measured has a floor: then nothing is guarded.
 */
export function findFallen(floors: Floors, findings: readonly Finding[]): string[] {
  const ratios = findings.filter(({ unit }) => unit === '×');
  const isGuarded = ratios.length === 0 || ratios.some(({ name }) => floors[name] !== undefined);
  const unguarded = isGuarded ? [] : ['no ratio that was measured has a floor; --record writes them'];
  return [...unguarded, ...findings.flatMap((finding) => complainOf(finding, floors[finding.name]))];
}

/** Whether a ratio is worse than its floor or its limit: a single measurement can be so by chance. */
export function isSuspect(floors: Floors, finding: Finding): boolean {
  return finding.unit === '×' && complainOf(finding, floors[finding.name]).length > 0;
}

function complainOf(finding: Finding, floor: Floor | undefined): string[] {
  const { name, values, better, unit } = finding;
  const value = median(values);
  const complaints: string[] = [];
  if (floor !== undefined) {
    const bound = floor.ratio * (better === 'higher' ? 1 - floor.noise : 1 + floor.noise);
    const holds = better === 'higher' ? value >= bound : value <= bound;
    const noise = `${(floor.noise * 100).toFixed(0)} %`;
    if (!holds)
      complaints.push(`${name} is ${value.toFixed(2)}; it was ${floor.ratio.toFixed(2)} ± ${noise}`);
  }
  if (!keepsLimit(finding))
    complaints.push(`${name} is ${value.toFixed(2)} ${unit}; the limit is ${finding.limit}`);
  return complaints;
}

/** The floors with those of all ratios that were measured put in place of the earlier ones. */
export function recordFloors(floors: Floors, findings: readonly Finding[]): Floors {
  const recorded = { ...floors };
  for (const { name, unit, values } of findings) {
    const ratio = median(values);
    if (unit !== '×' || !Number.isFinite(ratio)) continue;
    recorded[name] = {
      ratio: round(ratio),
      noise: round(Math.min(NOISE_MAX, Math.max(NOISE_MIN, 2 * spread(values)))),
    };
  }
  return Object.fromEntries(Object.entries(recorded).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function round(value: number): number {
  return Number(value.toPrecision(3));
}
