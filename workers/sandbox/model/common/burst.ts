/**
 * A message's index among those that one call sends to the same thread of a conversation: what counts or dates them is written
 * with the last.
 */
export interface Burst {
  index: number;
  size: number;
}

/** How many messages are to be counted with this one: none before the last of a burst. */
export function countedWith(burst: Burst | undefined): number {
  if (!burst) return 1;
  return burst.index === burst.size - 1 ? burst.size : 0;
}
