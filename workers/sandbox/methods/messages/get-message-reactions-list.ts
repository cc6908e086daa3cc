import type { MethodParams } from '../../../../src/tl/tl-json.ts';
import { defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { SELF } from '../../examples/input-peers.ts';
import { ownMessage } from '../../examples/own-message.ts';
import { readLimit } from '../../model/common/history-window.ts';
import { getMessage } from '../../model/messages/get-message.ts';
import { listMentioned } from '../../model/peers/mentioned.ts';
import { resolvePeer } from '../../model/peers/resolve-peer.ts';
import { toTlPeer } from '../../model/peers/tl-peer.ts';
import { toPlainEmoji } from '../../model/reactions/emotions.ts';
import { listReactions, reactionTarget, readReactions } from '../../model/reactions/reactions.ts';

type Params = MethodParams<'messages.getMessageReactionsList'>;

/**
 * The users who reacted to a message, the latest first. Errors: `BROADCAST_FORBIDDEN` for a channel's post, `MSG_ID_INVALID`,
 * `OFFSET_INVALID` for an offset that was not returned by a page.
 */
export const getMessageReactionsList = defineMethod(
  'messages.getMessageReactionsList',
  async (params, call) => {
    const limit = readLimit(params.limit);
    const after = readOffset(params.offset ?? '');
    const peer = await resolvePeer(call, params.peer, { left: true });
    const found = await getMessage(call, peer, params.id, 'MSG_ID_INVALID');
    if (found.message._ === 'message' && found.message.post) throw new MessengerError('BROADCAST_FORBIDDEN');
    const all = await readReactions(call, reactionTarget(call, peer, found));
    const wanted = listReactions(all, call.account.userId).filter(isWanted(params));
    const rest = wanted.filter(({ date, peerId: { userId } }) => isBehind({ date, userId }, after));
    const reactions = rest.slice(0, limit);
    const last = reactions.at(-1);
    return {
      _: 'messages.messageReactionsList',
      count: wanted.length,
      reactions,
      ...(await listMentioned(call, [toTlPeer(peer), ...reactions.map(({ peerId }) => peerId)])),
      ...(last && rest.length > limit ? { nextOffset: `${last.date}_${last.peerId.userId}` } : {}),
    };
  },
);

interface Place {
  date: number;
  userId: number;
}

function readOffset(offset: string): Place | null {
  if (offset === '') return null;
  const [, date, userId] = /^(\d{1,10})_(\d{1,15})$/.exec(offset) ?? [];
  if (date === undefined || userId === undefined) throw new MessengerError('OFFSET_INVALID');
  return { date: Number(date), userId: Number(userId) };
}

function isBehind({ date, userId }: Place, after: Place | null): boolean {
  if (after === null) return true;
  return date < after.date || (date === after.date && userId < after.userId);
}

function isWanted({ reaction: asked }: Params) {
  return ({ reaction }: { reaction: { emoticon: string } }) =>
    asked === undefined ||
    asked._ === 'reactionEmpty' ||
    (asked._ === 'reactionEmoji' && toPlainEmoji(asked.emoticon) === reaction.emoticon);
}

export const example: Example<'messages.getMessageReactionsList'> = async (context) => {
  const own = await ownMessage(context);
  return own && { peer: SELF, id: own.message.id, limit: 20 };
};
