/**
 * A message's index among those that one call sends to the same thread of a conversation. Their counts and dates are written with the last
 * one.
 */
export interface Burst {
  index: number;
  size: number;
}

/** How many messages to count with this one: the last of a burst counts all, the others none. */
export function countedWith(burst: Burst | undefined): number {
  if (!burst) return 1;
  return burst.index === burst.size - 1 ? burst.size : 0;
}

/** Whether a message is the first of a burst, or sent alone. */
export function isFirst(burst: Burst | undefined): boolean {
  return !burst || burst.index === 0;
}
