/** The load of the call path of one process. */
export interface CallLoad {
  /** Calls accepted and not yet answered. */
  inFlight: number;
  /** Calls that wait in this process for their turn. */
  backlog: number;
  /** How long the oldest call of the backlog has been waiting. */
  oldestWaitMs: number;
  /** Calls that have been sent to the workers and hold permits of the window. */
  outstanding: number;
  /** This process's part of the window, in permits. */
  permits: number;
  /** Calls that hold a slot of a capped workspace or account. */
  slotsHeld: number;
  /** Calls that wait in this process for such a slot. */
  slotsAwaited: number;
  /** Replies to calls that had already ended, since the process began. */
  lateReplies: number;
  /** Calls whose job was lost, since the process began. */
  lostCalls: number;
  /** Calls refused since the process began, by reason. */
  refusals: ReadonlyMap<string, number>;
}
