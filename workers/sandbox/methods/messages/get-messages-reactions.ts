import { defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { SELF } from '../../examples/input-peers.ts';
import { ownMessage } from '../../examples/own-message.ts';
import { findMessages } from '../../model/boxes/messages.ts';
import { firstDistinct } from '../../model/common/first-distinct.ts';
import { pageBudget, refuseOverBudget } from '../../model/common/read-budget.ts';
import { isShownIn } from '../../model/messages/get-message.ts';
import { viewMessages } from '../../model/messages/read-messages.ts';
import { listMentioned } from '../../model/peers/mentioned.ts';
import { boxOf } from '../../model/peers/peer.ts';
import { resolvePeer } from '../../model/peers/resolve-peer.ts';
import { toTlPeer } from '../../model/peers/tl-peer.ts';
import { partOf } from '../../model/reactions/reactions.ts';

const IDS_MAX = 100;

/**
 * The reactions to messages of a conversation, as one update for each message that exists. Error: `MSG_ID_INVALID` if none of them does.
 */
export const getMessagesReactions = defineMethod('messages.getMessagesReactions', async (params, call) => {
  const peer = await resolvePeer(call, params.peer, { left: true });
  const ids = firstDistinct(params.id, IDS_MAX);
  const budget = pageBudget();
  const [found, views] = await Promise.all([
    findMessages(call, boxOf(call, peer), ids, pageBudget()),
    viewMessages(call, peer, ids, budget),
  ]);
  refuseOverBudget(budget);
  const updates = views.flatMap((message, i) => {
    const one = found[i];
    if (!message || !one || !isShownIn(call, peer, one)) return [];
    const reactions = message.reactions ?? { _: 'messageReactions' as const, results: [] };
    const at = { peer: toTlPeer(peer), msgId: message.id, ...partOf(one) };
    return [{ _: 'updateMessageReactions' as const, ...at, reactions }];
  });
  if (ids.length > 0 && updates.length === 0) throw new MessengerError('MSG_ID_INVALID');
  const who = updates.flatMap(({ reactions }) => reactions.recentReactions ?? []).map(({ peerId }) => peerId);
  return {
    _: 'updates',
    updates,
    ...(await listMentioned(call, [toTlPeer(peer), ...who])),
    date: call.date,
    seq: 0,
  };
});

export const example: Example<'messages.getMessagesReactions'> = async (context) => {
  const own = await ownMessage(context);
  return own && { peer: SELF, id: [own.message.id] };
};

export const difference = 'Only the first 100 count.';
