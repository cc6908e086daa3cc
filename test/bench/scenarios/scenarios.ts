import type { Scenario } from '../scenario.ts';
import { burst } from './burst.ts';
import { noisyNeighbour } from './noisy-neighbour.ts';
import { overload } from './overload.ts';
import { steadyReads, steadySends } from './steady.ts';

/** Every scenario, in the order in which they run. */
export const SCENARIOS: readonly Scenario[] = [steadyReads, steadySends, noisyNeighbour, burst, overload];
