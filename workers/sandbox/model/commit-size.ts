import { MessengerError } from '../../driver.ts';

const BYTES_MAX = 900_000;
// What a copy has of its own: ids, peers, keys and the frame of its update.
const COPY_BYTES = 600;
const FEW = 4;

/** Throws `MESSAGE_TOO_LONG` if so many copies of a message, each stored and told, would not fit one commit. */
export function refuseTooLarge(draft: object, copies: number): void {
  if (copies <= FEW) return;
  const bytes = (JSON.stringify(draft).length + COPY_BYTES) * copies * 2;
  if (bytes > BYTES_MAX) throw new MessengerError('MESSAGE_TOO_LONG');
}
