import type { Box } from '../common/keys.ts';

/**
 * The keys of views and reactions. The letters are those of `common/keys.ts`.
 *
 *   viewed:C            set: `U:<message id>` of a post that U has viewed
 *   views:C             hash: message id -> views beyond the author's own; `<message id>:<day>` for those of a day
 *   reactions:<target>  hash: U -> GivenReactions to a message. Its target is `cC:N` in a channel, `xN` (its copy set) in a basic group,
 *                       and `uU:N` (the sender, and its id in the sender's box) in a private chat
 *   reacted:C           set: ids of the channel's messages that somebody reacted to
 *   reaction-days:cC:N  hash: `<day>:<emoji>` -> reactions of that day; `:turn`: how often a reaction changed
 */

/** The field that counts changes. No `<day>:<emoji>` field is equal to it, because those begin with a number. */
export const TURN = ':turn';

export function viewedKey(channelId: number): string {
  return `viewed:${channelId}`;
}

export function viewsKey(channelId: number): string {
  return `views:${channelId}`;
}

/** The target of reactions: all copies of a message of a basic group or private chat, or a channel's message. */
export type ReactionTarget = `x${number}` | `${Box}:${number}`;

export function reactionsKey(target: ReactionTarget): string {
  return `reactions:${target}`;
}

export function reactedKey(channelId: number): string {
  return `reacted:${channelId}`;
}

export function reactionDaysKey({ channelId, msgId }: { channelId: number; msgId: number }): string {
  return `reaction-days:c${channelId}:${msgId}`;
}
