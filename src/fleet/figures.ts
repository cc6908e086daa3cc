/** What a worker process tells of itself. */
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
  /** Scheduled calls whose time has come, in a second; processes of earlier releases do not tell. */
  dueRate?: number;
  /** Calls that run now, in the slow lane and in the others. */
  slowRunning: number;
  running: number;
  /** For how long the oldest call of the shared lane that it has taken waits for its turn; processes of earlier releases do not tell. */
  oldestWaitMs?: number;
}

/** A workspace and what it asks for. */
export interface WorkspaceUsage {
  workspaceId: string;
  /** Calls that came in a second, refused ones included. */
  callsPerSecond: number;
  refusedPerSecond: number;
  /** Its calls that wait for their turn; processes of earlier releases do not tell. */
  waiting?: number;
}

/** What an API process tells of itself. */
export interface ApiFigures {
  kind: 'api';
  version: string;
  /** Calls that came in a second, refused ones included. */
  arrivalRate: number;
  /** Calls that were refused in a second for their organization's own share; processes of earlier releases do not tell. */
  ownRefusalRate?: number;
  /** Calls that were answered in a second. */
  serviceRate: number;
  /** How many calls ended in a second, by how they did; and how many were refused, by what there was too much of. */
  outcomes?: Record<string, number>;
  refusals?: Record<string, number>;
  /** How long calls took lately: see `RecentDurations`. */
  durations?: number[];
  /** Calls that wait in it for their turn, and for how long the oldest does. */
  waiting: number;
  oldestWaitMs: number;
  /** The workspaces that ask for most. */
  workspaces: WorkspaceUsage[];
}

/** A process as it was last heard of. */
export interface Member<Figures = WorkerFigures | ApiFigures> {
  name: string;
  /** When it last said so, ms since the epoch by Redis' clock. */
  heardAt: number;
  figures: Figures;
}
