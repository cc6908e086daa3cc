import { MAX_CHARACTERS } from '../../../../src/state/commit-limits.ts';
import { type CallContext, MessengerError } from '../../../driver.ts';

const BYTES_MAX = 900_000;
// The bytes that each copy adds: ids, peers, keys and the frame of its update.
const COPY_BYTES = 600;
// A text of 4,096 characters with all the entities that there may be and a keyboard has 62,000 as JSON.
const PLAIN_MAX = 64 * 1_024;

// A scheduled message was checked when it was scheduled.
const UNBOUNDED = ['richMessage', 'fromScheduled'];

/**
 * Throws `MESSAGE_TOO_LONG` if a message has more than 64 KiB as JSON and is not rich, or if it does not fit one commit when it is written
 * this many times, to boxes and updates. `header` is that of its reply.
 */
export function refuseTooLarge(draft: object, times: number, header?: object): void {
  refuseLength(draft, lengthOf(draft) + (header ? lengthOf(header) : 0), times);
}

/** The same for a message with so many copies in boxes, each of which a commit can change later with the header of its reply. */
export function refuseLargeCopies(draft: object, copies: number, header?: object): void {
  const length = lengthOf(draft);
  refuseLength(draft, length, 2 * copies);
  if (!header) return;
  const whole = length + lengthOf(header);
  refuseLength(draft, whole, 0);
  refuseGrowth(whole, copies);
}

function refuseLength(draft: object, length: number, times: number): void {
  const isTooLong = length > PLAIN_MAX && !UNBOUNDED.some((member) => member in draft);
  if (isTooLong || !fitsCommit(length, times)) throw new MessengerError('MESSAGE_TOO_LONG');
}

/**
 * Throws `MESSAGE_TOO_LONG` if no commit holds a stored message this many times: it checks each copy that it changes, and writes it again.
 * To be called before the copies are read, which together may have many times what a call may read.
 */
export function refuseCopies({ raw }: { raw: string }, times: number): void {
  refuseCommit(raw.length * times);
}

/**
 * Throws `MESSAGE_TOO_LONG` if no commit could change so many copies of a stored message once they have this length: it would then be too
 * late to take back what has made them so long.
 */
export function refuseGrowth(length: number, copies: number): void {
  // Each as it was and as it becomes.
  refuseCommit((2 * length + COPY_BYTES) * copies);
}

/**
 * Throws `MESSAGE_TOO_LONG` if a stored message becomes longer than one may be, or if no commit holds so many copies of it as they are, and
 * twice as they become: in their boxes and in updates.
 */
export function refuseLargeEdit({ raw }: { raw: string }, message: object, copies: number): void {
  const length = lengthOf(message);
  refuseLength(message, length, 2 * copies);
  // The result has it once more.
  refuseCommit(raw.length * copies + (length + COPY_BYTES) * (2 * copies + 1));
}

/** Throws `MESSAGE_TOO_LONG` if no commit holds so many characters. */
export function refuseCommit(characters: number): void {
  if (characters > MAX_CHARACTERS) throw new MessengerError('MESSAGE_TOO_LONG');
}

/** Whether a message of this length, as JSON, fits one commit when it is written this many times, to boxes and updates, or checked there. */
export function fitsCommit(length: number, times: number): boolean {
  // The result has it once more.
  return times + 1 <= timesFitting(length);
}

/** How many more characters fit the call's commit. */
export function charactersLeft({ tx }: CallContext): number {
  return MAX_CHARACTERS - tx.size;
}

/** How many times something of this length, as JSON, fits one commit. */
export function timesFitting(length: number): number {
  return Math.floor(BYTES_MAX / (length + COPY_BYTES));
}

function lengthOf(value: object): number {
  return JSON.stringify(value).length;
}
