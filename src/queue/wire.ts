import type { MessengerAccount } from '../directory/collections.ts';
import type { WireTrace } from '../tracing/trace.ts';

/**
 * The version of the format in which API processes of this release put calls on the queues. Each version has its own queues, and a job is
 * answered in its own version's format: no process sees a format that it does not know.
 */
export const WIRE_VERSION: number = 1;

/**
 * The versions whose jobs this release's workers run: its own and the one before, if it is not the first, so that two releases run side by
 * side.
 */
export const SERVED_VERSIONS: readonly number[] = [WIRE_VERSION, WIRE_VERSION - 1].filter((v) => v >= 1);

/** The messenger account that a call is made for, as it travels with the call. */
export interface CallingAccount {
  id: string;
  /** Its user on the messenger; 0 if it has none yet, as before it is connected. */
  userId: number;
  bot: boolean;
  /** Whether access hashes are checked and `*Empty` peers are refused, as on Telegram. */
  strictPeers: boolean;
  /** Whether faults are injected into this account's calls. */
  faults: boolean;
}

/** Converts an account's record to the part that travels with its calls. */
export function toCallingAccount(account: MessengerAccount): CallingAccount {
  const { id, userId, bot, strictPeers, faults } = account;
  return { id, userId: userId ?? 0, bot, strictPeers, faults };
}

/** A call as it travels on a queue, and as workers run it. */
export interface WireCall {
  id: string;
  /**
   * The call's number within its API process. Replies carry it, as a number is found faster than an id. 0 for a call that is not in a job.
   */
  number: number;
  workspaceId: string;
  account: CallingAccount;
  driver: string;
  /** A TL method, or for `kind: 'order'` the name of a driver's order. */
  method: string;
  kind: 'method' | 'order';
  params: object;
  /** When the call was accepted: ms since the epoch, by Redis' clock. */
  acceptedAt: number;
  /** The time after which the call must not take effect: ms since the epoch, by Redis' clock. */
  notAfter: number;
  /**
   * When the call got the slots of its caps: ms since the epoch, by Redis' clock. Before, it waited for other calls of its own tenant.
   * Absent if it did not have to wait for a slot.
   */
  queuedAt?: number;
  /** The claim of an Idempotency-Key, its ledger hash, and the seed of missing `randomId`s; absent for calls without a key. */
  key?: { ledger: string; claim: string; seed: string };
  /** The seed of missing `randomId`s, if that is neither the key nor the call's id. */
  seed?: string;
  /** Absent for a call that is not traced. */
  trace?: WireTrace;
}

/** Since when a call has waited for the service, and no longer for its caps: ms since the epoch, by Redis' clock. */
export function waitsSince({ queuedAt, acceptedAt }: WireCall): number {
  return queuedAt ?? acceptedAt;
}

/** The data of a BullMQ job: calls of one API process, which arrived while the previous job was being added. */
export interface CallBatch {
  /** The wire version. */
  v: number;
  /** The batch's id, by which its ledger hashes are named. */
  id: string;
  /** The reply stream of the API process that waits. */
  replyTo: string;
  /** When the batch's ledger hashes expire: ms since the epoch. */
  ledgerExpiresAt: number;
  calls: WireCall[];
  /** How often a worker that was shut down gave the job back; absent if none did. */
  handedBack?: number;
  /** Set for a call that was moved from the lone lane to the slow lane, because it has to wait; absent for others. */
  wasLone?: true;
}
