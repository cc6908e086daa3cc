/** The figures that a worker process publishes. */
export interface WorkerFigures {
  kind: 'worker';
  version: string;
  host: string;
  pid: number;
  /** ms since the epoch, by the machine's clock. */
  startedAt: number;
  /** Whether it takes no more calls. */
  isDraining: boolean;
  /** The share of time in which its thread was at work lately. */
  busyShare: number;
  callsPerSecond: number;
  /** Scheduled calls that come due per second; absent from earlier releases. */
  dueRate?: number;
  /** Calls that run now, in the slow lane and in the other lanes. */
  slowRunning: number;
  running: number;
  /** How long the oldest call of the shared lane has waited for its turn in the worker; absent from earlier releases. */
  oldestWaitMs?: number;
}

/** What a workspace asks for lately. */
export interface WorkspaceUsage {
  workspaceId: string;
  /** Calls that came in a second, refused ones included. */
  callsPerSecond: number;
  refusedPerSecond: number;
  /** What its answered calls have cost, in usual calls; absent from earlier releases. */
  costPerSecond?: number;
  /** Its calls that wait for their turn; absent from earlier releases. */
  waiting?: number;
}

/** The figures that an API process publishes. */
export interface ApiFigures {
  kind: 'api';
  version: string;
  /** Calls that came in a second, refused ones included. */
  arrivalRate: number;
  /** Calls refused per second because their organization's own share was used up; absent from earlier releases. */
  ownRefusalRate?: number;
  /** Calls answered per second. */
  serviceRate: number;
  /** Calls that ended per second, by outcome, and calls refused per second, by reason. */
  outcomes?: Record<string, number>;
  refusals?: Record<string, number>;
  /** The durations of recent calls: see `RecentDurations`. */
  durations?: number[];
  /** Calls that wait in the process for their turn, and how long the oldest has waited. */
  waiting: number;
  oldestWaitMs: number;
  /** The workspaces that ask for most. */
  workspaces: WorkspaceUsage[];
}

/** The last published figures of a process. */
export interface Member<Figures = WorkerFigures | ApiFigures> {
  name: string;
  /** When it published them, ms since the epoch by Redis' clock. */
  heardAt: number;
  figures: Figures;
}
