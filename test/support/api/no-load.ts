import type { CallOwner } from '../../../src/queue/submit/admission.ts';
import type { CallLoad } from '../../../src/queue/submit/call-load.ts';

/** The load of a call path that does not count it. */
export const NO_LOAD: CallLoad = {
  inFlight: 0,
  backlog: 0,
  oldestWaitMs: 0,
  outstanding: 0,
  permits: 0,
  slotsHeld: 0,
  slotsAwaited: 0,
  lateReplies: 0,
  lostCalls: 0,
  refusals: new Map(),
};

/** The admission of a call path that refuses nothing. */
export const NO_ADMISSION = {
  check: () => null,
  countPaused: () => undefined,
  glance: () => true,
  holding: <T>(_owner: CallOwner, _bytes: number, act: () => Promise<T>): Promise<T> => act(),
};
