import type { MessengerAccount } from '../directory/collections.ts';
import type { TravellingTrace } from '../tracing/trace.ts';

/**
 * The format in which this release's API processes put calls on the queues. Each version has queues of its own, and a job is
 * answered in the format of its version: no process gets to see what it does not know.
 */
export const WIRE_VERSION: number = 1;

/** The versions whose jobs this release's workers run: its own and the one before, so that two releases run side by side. */
export const SERVED_VERSIONS: readonly number[] = [WIRE_VERSION, WIRE_VERSION - 1].filter((v) => v >= 1);

/** The messenger account a call is made for, as the API tier knows it. */
export interface CallingAccount {
  id: string;
  userId: number;
  bot: boolean;
  /** Whether access hashes are checked and `*Empty` peers refused, as Telegram does. */
  strictPeers: boolean;
  /** Whether faults are injected into this account's calls. */
  faults: boolean;
}

/** The account as it travels with its calls. */
export function toCallingAccount(account: MessengerAccount): CallingAccount {
  const { id, userId, bot, strictPeers, faults } = account;
  return { id, userId: userId ?? 0, bot, strictPeers, faults };
}

/** A call as it travels, and as workers run it. */
export interface WireCall {
  id: string;
  /**
   * Which of the calls of its API process it is: its reply goes by that, which is found faster than an id. 0 for one that comes in
   * no job.
   */
  number: number;
  workspaceId: string;
  account: CallingAccount;
  driver: string;
  /** A TL method, or for `kind: 'order'` the name of what the management API wants of the driver. */
  method: string;
  kind: 'method' | 'order';
  params: object;
  /** When the call was accepted, and after when it must not take effect: ms since the epoch, by Redis' clock. */
  acceptedAt: number;
  notAfter: number;
  /** The claim of an Idempotency-Key and its ledger; absent for calls without one. */
  key?: { ledger: string; claim: string; seed: string };
  /** What a `randomId` that was left out is derived from, where that is neither the key nor the call's id. */
  seed?: string;
  /** Absent for a call that is not traced. */
  trace?: TravellingTrace;
}

/** What a BullMQ job carries: calls of one API process, that came while the job before was being added. */
export interface CallBatch {
  v: number;
  /** Names the ledger hashes of the batch. */
  id: string;
  /** The reply stream of the API process that waits. */
  replyTo: string;
  /** When the batch's ledger hashes go: ms since the epoch. */
  ledgerExpiresAt: number;
  calls: WireCall[];
  /** How often a worker that was shut down gave the job back; absent for never. */
  handedBack?: number;
}
