import type { CallCaps } from '../../directory/accounts.ts';
import type { Reply } from '../frame.ts';
import type { NumberedCall, WireCall } from '../wire.ts';

/** A call as the API tier hands it in; the gateway numbers it, and adds when it was accepted and until when it may take effect. */
export interface CallRequest extends Omit<WireCall, 'acceptedAt' | 'notAfter'> {
  organizationId: string;
  /** `slow` for a call that may await something other than Redis. */
  lane: 'shared' | 'slow';
  /** Size of the params' JSON, as far as it is known. */
  bytes: number;
  timeoutMs: number;
  /** The caps that hold for it; null for none. */
  caps: CallCaps | null;
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

/** A call that someone waits for. */
export interface PendingCall {
  readonly call: NumberedCall;
  readonly workspaceId: string;
  readonly bytes: number;
  readonly lane: 'shared' | 'slow';
  /** The shard that carries it. */
  readonly shard: number;
  /** The batch it travels in; null while it waits in this process. */
  batch: SentBatch | null;
  /** Whether it has been answered; one that was while it waited is not sent. */
  done: boolean;
  /** Where it stands with the caps that hold for it. */
  slot: 'none' | 'waiting' | 'held';
  /** Whether it waits for nothing but its turn. */
  readonly inTurn: boolean;
  /** Whether it still holds a place in the window. */
  holdsPlace: boolean;
  /** When its time is over, by this process's monotonic clock; infinite once that has been seen. */
  deadline: number;
  resolve(reply: Reply): void;
  reject(error: unknown): void;
}

/** The call as it travels. */
// Member by member: objects made by spreading are slow to make and to turn into JSON.
export function toNumberedCall(request: CallRequest, number: number, acceptedAt: number): NumberedCall {
  const { id, workspaceId, account, driver, method, kind, params, timeoutMs, key } = request;
  const notAfter = acceptedAt + timeoutMs;
  const call: NumberedCall = {
    id,
    number,
    workspaceId,
    account,
    driver,
    method,
    kind,
    params,
    acceptedAt,
    notAfter,
  };
  if (key !== undefined) call.key = key;
  return call;
}
