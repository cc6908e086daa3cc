import type { Box } from '../common/keys.ts';

/**
 * The keys of views and reactions. The letters are those of `common/keys.ts`.
 *
 *   viewed:cC:N         set: U who has viewed post N
 *   views:C             hash: message id -> views beyond the author's own
 *   view-days:cC:N      hash: day -> views of that day
 *   reactions:<target>  hash: U -> GivenReactions to a message. Its target is `cC:N` in a channel, `xN` (its copy set) in a basic group,
 *                       and `uU:N` (the sender, and its id in the sender's box) in a private chat
 *   reacted:C           set: ids of the channel's messages that somebody reacted to
 *   reaction-days:cC:N  hash: `<day>:<emoji>` -> reactions of that day; `:turn`: how often a reaction changed
 *
 * An earlier release kept `U:<message id>` of all posts in a set `viewed:C`, and `<message id>:<day>` in `views:C`. They are not read any
 * more, so who viewed a post then counts once more, and they go with the channel.
 */

interface Post {
  channelId: number;
  msgId: number;
}

/** The field that counts changes. No `<day>:<emoji>` field is equal to it, because those begin with a number. */
export const TURN = ':turn';

export function viewedKey({ channelId, msgId }: Post): string {
  return `viewed:c${channelId}:${msgId}`;
}

export function viewDaysKey({ channelId, msgId }: Post): string {
  return `view-days:c${channelId}:${msgId}`;
}

export function formerViewedKey(channelId: number): string {
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

export function reactionDaysKey({ channelId, msgId }: Post): string {
  return `reaction-days:c${channelId}:${msgId}`;
}
