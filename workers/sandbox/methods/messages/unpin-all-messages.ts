import type { MethodParams } from '../../../../src/tl/tl-json.ts';
import { type CallContext, defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { peerUser } from '../../examples/input-peers.ts';
import { type FoundMessage, findMessages } from '../../model/boxes/messages.ts';
import { readPts } from '../../model/common/pts.ts';
import { pinnedKey } from '../../model/conversations/keys.ts';
import { threadOfTopic } from '../../model/conversations/topics.ts';
import { boxOf, type Peer } from '../../model/peers/peer.ts';
import { resolvePeer } from '../../model/peers/resolve-peer.ts';
import { requirePinRight } from '../../model/pins/may-pin.ts';
import { setPinned } from '../../model/pins/set-pinned.ts';

type Params = MethodParams<'messages.unpinAllMessages'>;

const AT_ONCE = 100;
const WRITES_RESERVED = 20;
// The writes for a message in each box that has it, and for the event in each box.
const WRITES_EACH = 2;
const CHARACTERS_MAX = 700_000;

/** Unpins the messages of a conversation, or of a topic of it, as many as fit one commit; `offset` says how many are left. */
export const unpinAllMessages = defineMethod('messages.unpinAllMessages', async (params, call) => {
  const peer = await resolvePeer(call, params.peer);
  requirePinRight(call, peer);
  const pinned = await findPinned(call, peer, params);
  const count = peer.kind === 'chat' ? peer.chat.members.length : peer.kind === 'user' ? 2 : 1;
  const writesLeft = call.tx.writesLeft - WRITES_RESERVED - WRITES_EACH * count;
  let characters = CHARACTERS_MAX;
  const some = pinned.slice(0, Math.floor(writesLeft / (WRITES_EACH * count))).filter(({ raw }, i) => {
    // The message before and after the change.
    characters -= 2 * raw.length * count;
    return i === 0 || characters >= 0;
  });
  const update = some.length > 0 ? await setPinned(call, peer, some, { pinned: false }) : null;
  if (!update) throw new MessengerError('CHAT_NOT_MODIFIED');
  const { pts = await readPts(call, boxOf(call, peer)), ptsCount } = update;
  return { _: 'messages.affectedHistory', pts, ptsCount, offset: pinned.length - some.length };
});

async function findPinned(
  call: CallContext,
  peer: Peer,
  { topMsgId, savedPeerId }: Params,
): Promise<FoundMessage[]> {
  const thread = savedPeerId
    ? (await resolvePeer(call, savedPeerId)).key
    : await threadOfTopic(call, peer, topMsgId);
  const list = call.tx.key(pinnedKey(call.account.userId, peer.key));
  const found = await findMessages(
    call,
    boxOf(call, peer),
    await call.tx.read.zrevrange(list, 0, AT_ONCE - 1),
  );
  return found.filter(
    (one): one is FoundMessage => one !== null && (thread === undefined || one.thread === thread),
  );
}

export const example: Example<'messages.unpinAllMessages'> = async (context) => {
  const { call, self, ids } = context;
  const pinned = await call.tx.read.zcard(call.tx.key(pinnedKey(self.id, `u${ids.botId}`)));
  return pinned === 0 ? null : { peer: await peerUser(context, 'botId') };
};

export const difference = 'The newest 100 messages; `offset` says how many are left.';
