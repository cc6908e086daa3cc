import { inspect } from 'node:util';
import { vi } from 'vitest';
import { Random } from '../../random.ts';
import { anAct } from './acts/random-acts.ts';
import type { Act } from './acts/scene.ts';
import { compare } from './compare.ts';
import { perform } from './perform.ts';
import { World } from './world.ts';

// Also of acts that fit their place many are refused: to edit what others have written, to join twice.
const DONE_MIN = 1 / 3;

export interface Run {
  /** It decides which acts are made, and which of them come in the same second. */
  seed: number;
  acts: number;
  /** How many acts are made at a time. */
  atOnce: number;
  /** After how many acts replicas are compared with the sandbox; a multiple of `atOnce`. */
  compareEvery: number;
}

interface Failure {
  /** The acts one of which is the reason. */
  acts: Act[];
  /** How many acts were made before these. */
  before: number;
  wrong: string[];
}

/** Makes random acts until something is wrong, and says what it is, and after which act; null if all is well. */
export async function findFailure(run: Run): Promise<string | null> {
  const failure = await makeActs(run, 0);
  if (!failure) return null;
  // One after the other, the same acts are made again: now with a look after each of those that may be the reason.
  const again = run.atOnce === 1 ? await makeActs({ ...run, compareEvery: 1 }, failure.before) : null;
  const { acts, before, wrong } = again ?? failure;
  const lines = acts.map(
    ({ account, method, params }, i) =>
      `act ${before + i + 1}: account ${account.userId} ${method} ${JSON.stringify(params)}`,
  );
  return [`Seed ${run.seed}, ${run.atOnce} at once:`, ...lines, 'Then is wrong:', ...wrong].join('\n');
}

async function makeActs(run: Run, compareAfter: number): Promise<Failure | null> {
  const world = await World.open();
  try {
    return await makeActsIn(world, run, compareAfter);
  } finally {
    await world.sandbox.close();
  }
}

async function makeActsIn(world: World, run: Run, compareAfter: number): Promise<Failure | null> {
  const random = new Random(run.seed);
  let acts: Act[] = [];
  for (let count = run.atOnce; count <= run.acts; count += run.atOnce) {
    vi.setSystemTime(Date.now() + 1_000 * random.below(2));
    const some = Array.from({ length: run.atOnce }, () => anAct(world, random));
    acts.push(...some);
    const isDue = count % run.compareEvery === 0;
    const wrong = await performAll(world, some, isDue && count > compareAfter);
    if (wrong.length > 0) return { acts, before: count - acts.length, wrong };
    if (isDue) acts = [];
  }
  if (world.done >= DONE_MIN * run.acts) return null;
  return { acts, before: run.acts, wrong: [`only ${world.done} of ${run.acts} acts were not refused`] };
}

async function performAll(world: World, acts: readonly Act[], isCompared: boolean): Promise<string[]> {
  const wrong = await Promise.all(acts.map((act) => perform(world, act)));
  try {
    return [...wrong.flat(), ...(await world.follow()), ...(isCompared ? await compare(world) : [])];
  } catch (error) {
    return [...wrong.flat(), inspect(error)];
  }
}
