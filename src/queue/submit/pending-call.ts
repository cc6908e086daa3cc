import type { CallCaps } from '../../directory/accounts.ts';
import type { Trace } from '../../tracing/trace.ts';
import type { Reply } from '../frame.ts';
import type { WireCall } from '../wire.ts';
import type { Ending } from './call-endings.ts';

/** A validated call, as the API tier submits it; `key` is set once its Idempotency-Key is claimed. */
export interface CallRequest extends Omit<WireCall, 'number' | 'acceptedAt' | 'notAfter' | 'trace'> {
  organizationId: string;
  idempotencyKey: string | null;
  /** `slow` for a call that may await something other than Redis. */
  lane: 'shared' | 'slow';
  /** How many bytes it counts as in flight. */
  bytes: number;
  timeoutMs: number;
  /** The caps on concurrent calls that apply to it; null for none. */
  caps: CallCaps | null;
  trace?: Trace | undefined;
}

/** A batch that this process has put on a queue. */
export interface SentBatch {
  id: string;
  ledgerExpiresAt: number;
  /** How many of its calls are not answered yet. */
  unanswered: number;
  /** When it was put on the queue, by this process's monotonic clock. */
  sentAt: number;
  /** The calls that may still be stalled; none once all are answered. */
  calls: PendingCall[];
}

/** The party that waits for a call, such as the connection that gets its reply. */
export interface Caller {
  /** Whether it is gone. */
  readonly destroyed: boolean;
  on(event: 'close', listener: () => void): unknown;
}

/** Settles the promise that a call's caller awaits. */
export interface Waiter {
  resolve(reply: Reply): void;
  reject(error: unknown): void;
}

/** A call that someone waits for, as long as it has not ended. Only `PendingCalls` changes it, except for `permits`. */
export interface PendingCall extends Waiter {
  readonly call: WireCall;
  readonly workspaceId: string;
  readonly bytes: number;
  readonly lane: 'shared' | 'slow';
  /** The shard that carries it. */
  readonly shard: number;
  /** Whether it waits only for its turn. */
  readonly inTurn: boolean;
  readonly state: 'capped' | 'queued' | 'sent' | 'ended';
  /** The batch it travels in; null until it is sent. */
  readonly batch: SentBatch | null;
  /** Whether it holds a slot of its caps. */
  readonly hasSlot: boolean;
  /** Whether a worker has moved it to the slow lane. */
  readonly isMoved: boolean;
  /** Whether it holds permits of the window. */
  readonly hasPermit: boolean;
  /** How many it holds or held; 1 until it is taken out of its line. Only the line changes it. */
  permits: number;
  /** What it has cost, in permits; known with its reply. */
  readonly cost: number;
  /** When its time is over, by this process's monotonic clock; infinite once its end at the deadline has begun. */
  readonly deadline: number;
  readonly trace: Trace | undefined;
}

/** Handlers for calls that enter a state. */
export interface CallStages {
  /** The call waits for a slot of its caps. */
  capped(pending: PendingCall, caps: CallCaps): void;
  /** The call waits for its turn to be sent. */
  queued(pending: PendingCall): void;
  /** A worker has moved the call to the slow lane: free its permits. */
  moved(pending: PendingCall): void;
  /** The call has ended: free its slot and its permits. */
  ended(pending: PendingCall, how: Ending): void;
}
