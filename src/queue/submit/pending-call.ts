import type { CallCaps } from '../../directory/accounts.ts';
import type { Trace } from '../../tracing/trace.ts';
import type { Reply } from '../frame.ts';
import type { WireCall } from '../wire.ts';

/** A call as the API tier hands it in, validated; `key` is there once its Idempotency-Key is claimed. */
export interface CallRequest extends Omit<WireCall, 'number' | 'acceptedAt' | 'notAfter' | 'trace'> {
  organizationId: string;
  idempotencyKey: string | null;
  /** `slow` for a call that may await something other than Redis. */
  lane: 'shared' | 'slow';
  /** What it counts in the bytes in flight. */
  bytes: number;
  timeoutMs: number;
  /** The caps that hold for it; null for none. */
  caps: CallCaps | null;
  trace?: Trace | undefined;
}

/** A batch that was put on a queue, as this process remembers it. */
export interface SentBatch {
  id: string;
  ledgerExpiresAt: number;
  /** How many of its calls someone still waits for. */
  unanswered: number;
  /** When it was put there, by this process's monotonic clock. */
  sentAt: number;
}

/** Who waits for a call, such as the connection its reply goes to. */
export interface Caller {
  /** Whether it is gone. */
  readonly destroyed: boolean;
  on(event: 'close', listener: () => void): unknown;
}

/** A call that someone waits for. Only `PendingCalls` changes it. */
export interface PendingCall {
  readonly call: WireCall;
  readonly workspaceId: string;
  readonly bytes: number;
  readonly lane: 'shared' | 'slow';
  /** The shard that carries it. */
  readonly shard: number;
  /** Whether it waits for nothing but its turn. */
  readonly inTurn: boolean;
  readonly state: 'capped' | 'queued' | 'sent' | 'ended';
  /** The batch it travels in; null until it is sent. */
  readonly batch: SentBatch | null;
  /** Whether it holds a slot of its caps. */
  readonly hasSlot: boolean;
  /** Whether it holds a permit of the window. */
  readonly hasPermit: boolean;
  /** When its time is over, by this process's monotonic clock; infinite once that has been seen. */
  readonly deadline: number;
  readonly trace: Trace | undefined;
  resolve(reply: Reply): void;
  reject(error: unknown): void;
}
