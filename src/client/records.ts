import type { ProblemDocument } from './errors.ts';

/** The tenant that owns everything else. */
export interface OrganizationRecord {
  id: string;
  name: string;
  createdAt: string;
}

/** A part of an organization, with an update stream of its own. */
export interface WorkspaceRecord {
  id: string;
  name: string;
  organizationId: string;
  /** Its share of the capacity while workspaces ask for more than there is. */
  weight: number;
  /** How many calls may be under way at once; null for any number. */
  maxConcurrentCalls: number | null;
  /** How many bytes it may keep: null for the setting, 0 for any number. */
  bytesMax: number | null;
  bytesUsed: number;
  createdAt: string;
}

/** An account of a messenger, connected to a workspace. */
export interface MessengerAccountRecord {
  id: string;
  name: string;
  workspaceId: string;
  /** What executes its calls. */
  driver: string;
  status: 'connecting' | 'active' | 'unauthorized';
  /** Its user id in the messenger; null while it is `connecting`. */
  userId: number | null;
  username: string | null;
  phone: string | null;
  bot: boolean;
  strictPeers: boolean;
  /** How many calls may be under way at once; null for any number. */
  maxConcurrentCalls: number | null;
  createdAt: string;
}

/** An API key, without its secret. */
export interface ApiKeyRecord {
  id: string;
  name: string;
  scopes: string[];
  organizationId: string;
  /** The workspace it is limited to; null for the whole organization. */
  workspaceId: string | null;
  expiresAt: string | null;
  rateLimit: { limit: number; windowSeconds: number } | null;
  /** The API key that created it; null for the root key. */
  createdBy: string | null;
  createdAt: string;
}

/** Where the updates of a workspace are sent. */
export interface WebhookRecord {
  id: string;
  workspaceId: string;
  url: string;
  /** Only updates of these kinds are sent; null for all. */
  kinds: string[] | null;
  /** Only updates of these messenger accounts are sent; null for all. */
  messengerAccountIds: string[] | null;
  description: string | null;
  status: 'enabled' | 'disabled';
  disabledReason: 'requested' | 'gone' | 'failing' | null;
  disabledAt: string | null;
  /** The last part of the stream that was trimmed before it was sent. */
  gap: { from: string; to: string; at: string } | null;
  createdBy: string | null;
  createdAt: string;
}

/** A message to a webhook and its attempts. */
export interface DeliveryRecord {
  /** The `webhook-id` of every attempt. */
  id: string;
  kind: string;
  offset: string;
  messengerAccountId: string | null;
  status: 'queued' | 'succeeded' | 'failed';
  /** The last twenty. */
  attempts: { at: string; statusCode: number | null; durationMs: number; error: string | null }[];
  nextAttemptAt: string | null;
  createdAt: string;
  settledAt: string | null;
}

/** The key that has changed something: an API key, or the root key, whose id is null. */
interface Actor {
  id: string | null;
  name: string;
}

/** Something whose calls an operator has paused. */
export interface PauseRecord {
  target: { kind: 'workspace' | 'account' | 'method' | 'lane'; id: string };
  /** Whether calls wait until they are resumed, or are refused. */
  mode: 'wait' | 'refuse';
  reason: string | null;
  since: string;
  by: Actor;
}

/** A worker, by its figures of the last second. */
export interface WorkerRecord {
  id: string;
  version: string;
  host: string;
  pid: number;
  state: 'running' | 'draining' | 'missing';
  /** The share of time in which its thread was at work lately. */
  busyShare: number;
  callsPerSecond: number;
  running: number;
  slowRunning: number;
  startedAt: string;
  lastHeardAt: string;
}

/** A change in the audit list. */
export interface AuditRecord {
  id: string;
  createdAt: string;
  by: Actor;
  action: string;
  target: { kind: string; id: string };
  /** The former values of the members that changed; null for nothing. */
  from: Record<string, unknown> | null;
  to: Record<string, unknown> | null;
  /** The value of `cascade` in the request to delete. */
  cascade?: boolean;
}

/** An async call. */
export interface CallRecord {
  id: string;
  workspaceId: string;
  messengerAccountId: string;
  method: string;
  status: 'queued' | 'running' | 'succeeded' | 'failed' | 'canceled' | 'expired';
  /** The TL object, once it has succeeded. */
  result: { _: string; [member: string]: unknown } | null;
  /** Its transaction number; null until it has ended. */
  txid: number | null;
  /** Why it ended without a result, or the error of its last attempt. */
  error: ProblemDocument | null;
  createdAt: string;
  /** It does not run before this time. */
  scheduleAt: string | null;
  /** When its last attempt began. */
  startedAt: string | null;
  finishedAt: string | null;
  /** It ends as `expired` if it has not run by then. */
  expiresAt: string;
  attempts: number;
  /** The call that it replays. */
  replayOf: string | null;
}
