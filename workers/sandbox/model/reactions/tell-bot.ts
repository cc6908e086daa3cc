import type { CallContext } from '../../../driver.ts';
import { isAdmin } from '../chats/channel-members.ts';
import { findMember } from '../chats/chats.ts';
import { SEQ, userBox } from '../common/keys.ts';
import type { MessageReader } from '../conversations/message-readers.ts';
import type { Peer } from '../peers/peer.ts';
import { toTlPeer } from '../peers/tl-peer.ts';
import { targetOf, type UserRecord } from '../people/users.ts';
import type { GivenReactions } from './reactions.ts';

/** The calling account's reactions to a message before and after the call. */
export interface ReactionChange {
  before: GivenReactions | null;
  after: GivenReactions | null;
}

/** Whether a reader is told of reactions as bots are. */
export function isToldAsBot({ bot, accountId }: UserRecord): boolean {
  return bot && accountId !== null;
}

/**
 * Whether a bot is told when the calling account reacts to a message that shows who has reacted: in a private chat, or as an administrator,
 * if a user reacts. Source: core.telegram.org/bots/api#messagereactionupdated.
 */
export async function isBotTold(call: CallContext, peer: Peer, bot: UserRecord): Promise<boolean> {
  if (call.account.bot) return false;
  if (peer.kind === 'user') return true;
  if (peer.kind === 'chat') return peer.chat.creatorId === bot.id;
  return isAdmin(await findMember(call, peer.id, bot.id));
}

/** Tells a bot how the calling account has changed its reactions. */
export function tellBot(
  { tx, account, date }: CallContext,
  { user: bot, peer, msgId }: MessageReader,
  { before, after }: ReactionChange,
): void {
  tx.update(targetOf(bot), {
    _: 'updateBotMessageReaction',
    peer,
    msgId,
    date,
    actor: toTlPeer({ kind: 'user', id: account.userId }),
    oldReactions: before?.reactions ?? [],
    newReactions: after?.reactions ?? [],
    qts: tx.allocate(SEQ, `qts:${userBox(bot.id)}`),
  });
}
