import type { Box } from '../common/keys.ts';

/**
 * The keys of stories. The letters are those of `common/keys.ts`.
 *
 *   stories:<box>       hash: story id -> StoryRecord; `seq` counts them as `story:<box>`
 */
export function storiesKey(box: Box): string {
  return `stories:${box}`;
}
