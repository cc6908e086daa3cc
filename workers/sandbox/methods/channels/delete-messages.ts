import { type CallContext, defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { inputChannel } from '../../examples/input-peers.ts';
import { type FoundMessage, findMessages } from '../../model/boxes/messages.ts';
import { viewChannelMessage } from '../../model/boxes/view-message.ts';
import { expectOwnMember } from '../../model/chats/channel-members.ts';
import { isAllowed } from '../../model/chats/rights.ts';
import { firstDistinct } from '../../model/common/first-distinct.ts';
import { channelBox, SEQ } from '../../model/common/keys.ts';
import { readPts } from '../../model/common/pts.ts';
import { pageBudget, refuseOverBudget } from '../../model/common/read-budget.ts';
import { removePosts } from '../../model/messages/remove-posts.ts';
import type { ChannelPeer } from '../../model/peers/peer.ts';
import { resolveChannel } from '../../model/peers/resolve-peer.ts';

const IDS_MAX = 100;

/**
 * Deletes messages of a channel for everybody, as many as fit one commit. Unknown ids are ignored. Errors: `MESSAGE_DELETE_FORBIDDEN` for
 * others' messages that the account may not delete, and for the first message of a topic or channel; `RESULTS_TOO_MUCH` for more than
 * 4 MiB.
 */
export const deleteMessages = defineMethod('channels.deleteMessages', async (params, call) => {
  const peer = await resolveChannel(call, params.channel);
  const box = channelBox(peer.id);
  const ids = firstDistinct(params.id, IDS_MAX);
  const budget = pageBudget();
  const found = (await findMessages(call, box, ids, budget)).filter((one) => one !== null);
  refuseOverBudget(budget);
  for (const one of found) requireDeleteRight(call, peer, one);
  if (peer.member) expectOwnMember(call, peer);
  const removed = await removePosts(call, peer, found);
  if (removed === 0) {
    return { _: 'messages.affectedMessages', pts: await readPts(call, box), ptsCount: 0 };
  }
  return {
    _: 'messages.affectedMessages',
    pts: call.tx.allocate(SEQ, `pts:${box}`, 0),
    ptsCount: removed,
  };
});

function requireDeleteRight(call: CallContext, peer: ChannelPeer, one: FoundMessage): void {
  const { message } = one;
  const { out } = viewChannelMessage(one, call.account.userId, { mentionUnread: false, consumed: true });
  const starts =
    message._ === 'messageService' &&
    (message.action._ === 'messageActionTopicCreate' || message.action._ === 'messageActionChannelCreate');
  const isPost = message._ === 'message' && message.post === true;
  const isOwn = out && (!isPost || isAllowed(peer.member, 'postMessages'));
  if (starts || !(isOwn || isAllowed(peer.member, 'deleteMessages')))
    throw new MessengerError('MESSAGE_DELETE_FORBIDDEN');
}

// Other examples need the first post and the forum's poll.
export const example: Example<'channels.deleteMessages'> = async (context) => ({
  channel: await inputChannel(context, 'channelId'),
  id: [2],
});

export const difference = 'At most 100 messages, and 4 MiB (`RESULTS_TOO_MUCH`).';
