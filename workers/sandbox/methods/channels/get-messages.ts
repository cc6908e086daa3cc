import type { MethodParams } from '../../../../src/tl/tl-json.ts';
import { type CallContext, defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { inputChannel } from '../../examples/input-peers.ts';
import { findMessages } from '../../model/boxes/messages.ts';
import { channelBox } from '../../model/common/keys.ts';
import { readPts } from '../../model/common/pts.ts';
import { pageBudget, type ReadBudget, refuseOverBudget } from '../../model/common/read-budget.ts';
import { pinnedKey } from '../../model/conversations/keys.ts';
import { readTopIds } from '../../model/conversations/top-messages.ts';
import { isShownIn, onlyShown } from '../../model/messages/get-message.ts';
import { toMessageList } from '../../model/messages/message-list.ts';
import { viewMessages } from '../../model/messages/read-messages.ts';
import type { ChannelPeer } from '../../model/peers/peer.ts';
import { resolveChannel } from '../../model/peers/resolve-peer.ts';
import { toTlPeer } from '../../model/peers/tl-peer.ts';

type InputMessage = MethodParams<'channels.getMessages'>['id'][number];

const IDS_MAX = 100;

/**
 * The messages of these ids in a channel, in the order of the ids, or the messages they reply to, or the newest that is pinned; a
 * `messageEmpty` for each that does not exist. Error: `RESULTS_TOO_MUCH` for more than 4 MiB, with the messages that reply.
 */
export const getMessages = defineMethod('channels.getMessages', async (params, call) => {
  const peer = await resolveChannel(call, params.channel);
  if (params.id.length === 0) throw new MessengerError('MESSAGE_IDS_EMPTY');
  const budget = pageBudget();
  const ids = await toIds(call, peer, params.id.slice(0, IDS_MAX), budget);
  refuseOverBudget(budget);
  const [found, pts] = await Promise.all([
    viewMessages(call, peer, ids, budget),
    readPts(call, channelBox(peer.id)),
  ]);
  refuseOverBudget(budget);
  const list = await toMessageList(
    call,
    onlyShown(call, peer, found).map(
      (message, i) => message ?? { _: 'messageEmpty' as const, id: ids[i] as number, peerId: toTlPeer(peer) },
    ),
  );
  return { ...list, _: 'messages.channelMessages', pts, count: ids.length };
});

async function toIds(
  call: CallContext,
  peer: ChannelPeer,
  inputs: InputMessage[],
  budget: ReadBudget,
): Promise<number[]> {
  const { id, key } = peer;
  const named = inputs.flatMap((input) => (input._ === 'inputMessageReplyTo' ? [input.id] : []));
  const answers = [...new Set(named)];
  const namesPinned = inputs.some((input) => input._ === 'inputMessagePinned');
  const [found, [pinnedId = 0]] = await Promise.all([
    findMessages(call, channelBox(id), answers, budget),
    namesPinned ? readTopIds(call, [pinnedKey(call.account.userId, key)]) : [],
  ]);
  const shown = found.map((one) => (one && isShownIn(call, peer, one) ? one : null));
  const answered = new Map(answers.map((answer, i) => [answer, shown[i]?.message.replyTo]));
  return inputs.map((input) => {
    if (input._ === 'inputMessagePinned') return pinnedId;
    if (input._ !== 'inputMessageReplyTo') return 'id' in input ? input.id : 0;
    const header = answered.get(input.id);
    // A reply to another conversation has a message id of that conversation.
    return header?._ === 'messageReplyHeader' && !header.replyToPeerId ? (header.replyToMsgId ?? 0) : 0;
  });
}

export const example: Example<'channels.getMessages'> = async (context) => ({
  channel: await inputChannel(context, 'channelId'),
  id: [{ _: 'inputMessageID', id: 1 }],
});

export const difference = 'Only the first 100 count.';
