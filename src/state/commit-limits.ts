export const MAX_WRITES = 500;
/** More than any call needs. Redis takes some 4 µs for each, and a worker some 12 µs. */
export const MAX_UPDATES = 4_200;
export const MAX_CHARACTERS = 1024 * 1024;

/** A commit exceeds its limit of 500 writes, 4,200 updates or about a million characters: the method has to do less at a time. */
export class CommitTooLarge extends Error {
  override name = 'CommitTooLarge';
}
