import type { Scenario } from '../scenario.ts';
import { steady } from './steady.ts';

/** Every scenario, in the order in which they run. */
export const SCENARIOS: readonly Scenario[] = [steady];
