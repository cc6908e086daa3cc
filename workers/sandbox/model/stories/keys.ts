import type { Box } from '../common/keys.ts';

/**
 * The keys of stories. The letters are those of `common/keys.ts`.
 *
 *   stories:<box>       hash: story id -> StoryRecord; the last id is the field `story:<box>` of `seq`
 */
export function storiesKey(box: Box): string {
  return `stories:${box}`;
}
