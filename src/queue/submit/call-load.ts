/** How much the call path of one process has to do. */
export interface CallLoad {
  /** Calls accepted and not yet answered. */
  inFlight: number;
  /** Calls that wait in this process for their turn. */
  backlog: number;
  /** How long the oldest of them has been waiting. */
  oldestWaitMs: number;
  /** Calls that have been sent to the workers and hold a permit of the window. */
  outstanding: number;
  /** How many permits of the window are this process's. */
  permits: number;
  /** Calls that hold a slot of a capped workspace or account. */
  slotsHeld: number;
  /** Calls that wait in this process for such a slot. */
  slotsAwaited: number;
  /** Replies that came for calls that had ended, since the process began. */
  lateReplies: number;
  /** Calls whose job was gone, since the process began. */
  lostCalls: number;
  /** Calls refused since the process began, by reason. */
  refusals: ReadonlyMap<string, number>;
}
