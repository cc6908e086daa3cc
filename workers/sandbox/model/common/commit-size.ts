import { MessengerError } from '../../../driver.ts';

const BYTES_MAX = 900_000;
// The bytes that each copy adds: ids, peers, keys and the frame of its update.
const COPY_BYTES = 600;
const FEW = 8;

/** Throws `MESSAGE_TOO_LONG` if a message does not fit one commit when it is written this many times, to boxes and updates. */
export function refuseTooLarge(draft: object, times: number): void {
  // Only a rich message can be that long by itself.
  if (times <= FEW && !('richMessage' in draft)) return;
  // The result has it once more.
  if ((JSON.stringify(draft).length + COPY_BYTES) * (times + 1) > BYTES_MAX) {
    throw new MessengerError('MESSAGE_TOO_LONG');
  }
}
