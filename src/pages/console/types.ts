/** What `GET /v1/scaling` answers. */
export interface Report {
  at: string;
  targetWaitMs: number;
  desiredWorkers: number;
  workers: { running: number; draining: number; missing: number; byVersion: Record<string, number> };
  busyShare: number;
  arrivalRate: number;
  serviceRate: number;
  latency: { p50Ms: number | null; p99Ms: number | null };
  outcomes: Record<string, number>;
  refusals: Record<string, number>;
  oldestWaitMs: number;
  lanes: { lane: string; waiting: number; oldestWaitMs: number }[];
  webhooks: { waiting: number; oldestMs: number; enabled: number; disabled: number };
  heaviestWorkspaces: WorkspaceUse[];
  workerList: Worker[];
}

export interface WorkspaceUse {
  workspaceId: string;
  callsPerSecond: number;
  refusedPerSecond: number;
  waiting: number;
  share: number;
}

export interface Worker {
  id: string;
  version: string;
  host: string;
  pid: number;
  state: 'running' | 'draining' | 'missing';
  busyShare: number;
  callsPerSecond: number;
  running: number;
  slowRunning: number;
  startedAt: string;
  lastHeardAt: string;
}

export interface Health {
  status: string;
  version: string;
  checks: Record<string, string>;
}

export interface Page<Item> {
  data: Item[];
  hasMore: boolean;
  partial?: true;
  cursors: { next: string | null; previous: string | null };
}

export interface Call {
  id: string;
  workspaceId: string;
  messengerAccountId: string;
  method: string;
  status: string;
  error: { code: string; title: string; detail?: string } | null;
  createdAt: string;
  scheduleAt: string | null;
  finishedAt: string | null;
  attempts: number;
  replayOf: string | null;
}

export interface Webhook {
  id: string;
  workspaceId: string;
  url: string;
  kinds: string[] | null;
  status: 'enabled' | 'disabled';
  disabledReason: string | null;
  gap: { at: string } | null;
}

export interface Delivery {
  id: string;
  kind: string;
  status: string;
  attempts: { at: string; statusCode: number | null; durationMs: number; error: string | null }[];
  nextAttemptAt: string | null;
  createdAt: string;
  settledAt: string | null;
}

export interface Workspace {
  id: string;
  name: string;
  organizationId: string;
  weight: number;
  maxConcurrentCalls: number | null;
  bytesMax: number | null;
  bytesUsed: number;
}

export interface Account {
  id: string;
  name: string;
  workspaceId: string;
  driver: string;
  status: string;
  maxConcurrentCalls: number | null;
}

export interface Pause {
  target: Target;
  mode: 'wait' | 'refuse';
  reason: string | null;
  since: string;
  by: { id: string | null; name: string };
}

/** What is paused or was changed: a kind and an id, or the name of a method or lane. */
export interface Target {
  kind: string;
  id: string;
}

export interface AuditEntry {
  id: string;
  createdAt: string;
  by: { id: string | null; name: string };
  action: string;
  target: Target;
  from: object | null;
  to: object | null;
}

export interface RateLimit {
  limit: number;
  windowSeconds: number;
}

export type SettingValue = string | number | RateLimit | null;

/** Settings by name; null for what each process has configured itself. */
export interface Settings {
  /** What holds in the process that answers. */
  effective: Record<string, SettingValue>;
  [name: string]: SettingValue | Record<string, SettingValue>;
}
