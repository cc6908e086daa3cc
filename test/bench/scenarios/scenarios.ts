import type { Scenario } from '../scenario.ts';
import { day } from './day.ts';
import { fanOut } from './fan-out.ts';
import { listDepth } from './list-depth.ts';
import { memory } from './memory.ts';
import { mix } from './mix.ts';
import { noisyNeighbour } from './noisy-neighbour.ts';
import { burst, overload } from './overload.ts';
import { steadyReads, steadySends } from './steady.ts';
import { tracing } from './tracing.ts';
import { weights } from './weights.ts';

/** Every scenario, in the order in which they run. */
export const SCENARIOS: readonly Scenario[] = [
  steadyReads,
  steadySends,
  noisyNeighbour,
  weights,
  listDepth,
  mix,
  burst,
  overload,
  fanOut,
  memory,
  tracing,
  day,
];
