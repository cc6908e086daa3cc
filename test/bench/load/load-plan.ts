/** Requests that one group of connections sends over and over, in turn. */
export interface LoadGroup {
  name: string;
  /** Ports of the API processes; connections are spread over them. */
  ports: number[];
  connections: number;
  /** Whole HTTP requests, as they go onto the wire. */
  requests: string[];
  /** Calls per second to start, whatever comes back (open loop); absent: each connection waits for its answer (closed loop). */
  ratePerSecond?: number;
  /** How long after it was sent a call must not succeed any more; absent: none does too late. */
  deadlineMs?: number;
  /** Begins the group's calls this long after the measurement has begun; absent: before the warm-up. */
  startAfterMs?: number;
  /** Ends the group's calls this long after the measurement has begun, while other groups go on. */
  stopAfterMs?: number;
}

/** What the load process is to do once. */
export interface LoadPlan {
  groups: LoadGroup[];
  /** Before it nothing is counted. */
  warmUpMs: number;
  measureMs: number;
  /** Goes on measuring, for at most five times as long, until so many calls have succeeded; absent: does not. */
  answersMin?: number;
  /** How long to wait in the end for answers that are still due. */
  drainMs: number;
  /** Processes whose CPU time during the measurement is wanted, by role. */
  pids: Record<string, number[]>;
  /** Whether to give figures for every 250 ms as well. */
  timeline?: boolean;
}

/** What one group of connections saw. Times are ms from the moment the call was due. */
export interface GroupResult {
  answered: number;
  /** Answers other than 200 by their status, and `lost` for connections that broke. */
  failures: Record<string, number>;
  p50Ms: number;
  p99Ms: number;
  maxMs: number;
  /** Of the answers 503 and 429 only, from the moment the call was sent. */
  refusedP99Ms: number;
  refusedMaxMs: number;
  /** Of those on connections that were open: the others waited to be accepted, too. */
  refusedOpenMaxMs: number;
  /** Answers 200 that came after the deadline. */
  tooLate: number;
  /** The longest that any answer took, whatever it said, from the moment the call was sent. */
  longestMs: number;
  /** How late the load process itself came to calls that were due; 0 in a closed loop, where none is due before its time. */
  lagP99Ms: number;
  lagMaxMs: number;
  /** Calls that found every connection waiting for an answer, and were sent once one was free. */
  held: number;
  /** Calls that had no answer when the plan ended. */
  unanswered: number;
  timeline: TimelinePoint[];
}

/** A quarter of a second; calls belong to the moment they were due, but for `completed`. */
export interface TimelinePoint {
  atMs: number;
  offered: number;
  succeeded: number;
  /** Answers 200 that came in this time, whenever their calls were due. */
  completed: number;
  refused: number;
  failed: number;
  p50Ms: number;
  p99Ms: number;
}

/** What came of a plan. */
export interface LoadResult {
  seconds: number;
  groups: Record<string, GroupResult>;
  /** CPU seconds used during the measurement, by role, and by the load process itself as `load`. */
  cpuSeconds: Record<string, number>;
  /** CPU seconds that anything else on the machine used. */
  otherCpuSeconds: number;
}

/** What the load process says, in this order. */
export type LoadMessage =
  | { kind: 'ready' }
  | { kind: 'measuring' }
  | { kind: 'measured' }
  | { kind: 'result'; result: LoadResult }
  | { kind: 'failed'; message: string };
