import type { TraceContext } from '../tracing/trace-context.ts';

/** The status of an async call. A `queued` call waits for its time, its turn or its next attempt. */
export const CALL_STATUSES = ['queued', 'running', 'succeeded', 'failed', 'canceled', 'expired'] as const;

export type CallStatus = (typeof CALL_STATUSES)[number];

/** The statuses of calls that have ended. */
export const END_STATUSES = ['succeeded', 'failed', 'canceled', 'expired'] as const satisfies CallStatus[];

/** The ways in which a call ends without a result. */
export type FailedStatus = Exclude<CallStatus, 'queued' | 'running' | 'succeeded'>;

/** An async call, as it was accepted; times are ms since the epoch by Redis' clock. */
export interface AsyncCall {
  id: string;
  workspaceId: string;
  organizationId: string;
  messengerAccountId: string;
  method: string;
  params: object;
  /** The seed of missing `randomId`s: the Idempotency-Key, or the first call that this one replays. */
  seed: string;
  createdAt: number;
  scheduleAt: number | null;
  /** From then on no attempt begins: it ends as `expired`, unless it has ended or an attempt is running. */
  expiresAt: number;
  /** The call that this one replays. */
  replayOf: string | null;
  /** The API keys behind it: the caller's key and the keys that created it. Absent for the root key. */
  makers?: readonly string[];
  /** The trace of the request that made it; absent if that was not traced. */
  trace?: TraceContext;
}
