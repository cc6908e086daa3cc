import type { ApiKeyRecord, AuditRecord, WorkerRecord } from '../../client/records.ts';

/** An enabled webhook for which deliveries are queued. */
export interface WebhookBacklog {
  id: string;
  workspaceId: string;
  waiting: number;
  oldestMs: number;
}

/** The answer of `GET /v1/scaling`. */
export interface ScalingReport {
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
  asyncCalls: { backlog: number; oldestMs: number };
  webhooks: {
    waiting: number;
    oldestMs: number;
    enabled: number;
    disabled: number;
    furthestBehind?: WebhookBacklog[];
  };
  heaviestWorkspaces: WorkspaceUse[];
  workerList: WorkerRecord[];
}

export interface WorkspaceUse {
  workspaceId: string;
  callsPerSecond: number;
  refusedPerSecond: number;
  /** Absent from earlier releases. */
  costPerSecond?: number;
  waiting: number;
  share: number;
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

/** The target of a pause or a change: a kind, and an id or the name of a method or lane. */
export type Target = AuditRecord['target'];

export type RateLimit = NonNullable<ApiKeyRecord['rateLimit']>;

export type SettingValue = string | number | RateLimit | null;

/** Settings by name; null where each process uses its own configuration. */
export interface Settings {
  /** The values in use in the process that answers. */
  effective: Record<string, SettingValue>;
  [name: string]: SettingValue | Record<string, SettingValue>;
}
