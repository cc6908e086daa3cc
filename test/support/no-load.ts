import type { CallLoad } from '../../src/queue/call-gateway.ts';

/** The load of a call path that does not count it. */
export const NO_LOAD: CallLoad = {
  inFlight: 0,
  backlog: 0,
  oldestWaitMs: 0,
  outstanding: 0,
  places: 0,
  slotsHeld: 0,
  slotsAwaited: 0,
  refusals: new Map(),
};
