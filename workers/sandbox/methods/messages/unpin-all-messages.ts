import { type CallContext, defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { peerUser } from '../../examples/input-peers.ts';
import { historyKey } from '../../model/boxes/keys.ts';
import { findMessages } from '../../model/boxes/messages.ts';
import type { Thread } from '../../model/common/keys.ts';
import { readPts } from '../../model/common/pts.ts';
import { pageBudget } from '../../model/common/read-budget.ts';
import { pinnedKey } from '../../model/conversations/keys.ts';
import { resolveSavedPeer } from '../../model/conversations/saved-threads.ts';
import { threadOfTopic } from '../../model/conversations/topics.ts';
import { boxOf, type Peer } from '../../model/peers/peer.ts';
import { resolvePeer } from '../../model/peers/resolve-peer.ts';
import { requirePinRight } from '../../model/pins/may-pin.ts';
import { setPinned } from '../../model/pins/set-pinned.ts';

const AT_ONCE = 100;
// Of the pins of a whole conversation, those that are looked through for the pins of one thread.
const SCANNED_MAX = 5_000;
const WRITES_RESERVED = 20;
// The writes for a message in each box that has it, and for the event in each box.
const WRITES_EACH = 2;
const CHARACTERS_MAX = 700_000;

/** Unpins the messages of a conversation, or of a topic of it, as many as fit one commit; `offset` is above 0 if some are left. */
export const unpinAllMessages = defineMethod('messages.unpinAllMessages', async (params, call) => {
  const peer = await resolvePeer(call, params.peer);
  requirePinRight(call, peer);
  const thread = params.savedPeerId
    ? await resolveSavedPeer(call, peer, params.savedPeerId)
    : await threadOfTopic(call, peer, params.topMsgId);
  const { ids, total } = await (thread === undefined ? listPins(call, peer) : listPinsOf(call, peer, thread));
  const found = await findMessages(call, boxOf(call, peer), ids, pageBudget());
  const pinned = found.filter((one) => one !== null);
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
  return { _: 'messages.affectedHistory', pts, ptsCount, offset: total - some.length };
});

/** The newest pins of a conversation or thread, and how many there are. */
interface Pins {
  ids: string[];
  total: number;
}

async function listPins({ tx, account }: CallContext, { key }: Peer): Promise<Pins> {
  const list = tx.key(pinnedKey(account.userId, key));
  const [ids, total] = await Promise.all([tx.read.zrevrange(list, 0, AT_ONCE - 1), tx.read.zcard(list)]);
  return { ids, total };
}

// Looks no farther than it has to: `total` may be too low, but says whether there are more.
async function listPinsOf({ tx, account }: CallContext, { key }: Peer, thread: Thread): Promise<Pins> {
  const list = tx.key(pinnedKey(account.userId, key));
  const history = tx.key(historyKey(account.userId, key, thread));
  const ids: string[] = [];
  let below = '+inf';
  for (let scanned = 0; scanned < SCANNED_MAX && ids.length <= AT_ONCE; scanned += AT_ONCE) {
    const some = await tx.read.zrevrangebyscore(list, below, '-inf', 'LIMIT', 0, AT_ONCE);
    const scores = some.length === 0 ? [] : await tx.read.zmscore(history, ...some);
    ids.push(...some.filter((_, i) => scores[i] !== null));
    if (some.length < AT_ONCE) break;
    below = `(${some.at(-1)}`;
  }
  return { ids: ids.slice(0, AT_ONCE), total: ids.length };
}

export const example: Example<'messages.unpinAllMessages'> = async (context) => {
  const { call, self, ids } = context;
  const pinned = await call.tx.read.zcard(call.tx.key(pinnedKey(self.id, `u${ids.botId}`)));
  return pinned === 0 ? null : { peer: await peerUser(context, 'botId') };
};

export const difference =
  'The newest 100 messages, fewer if they are very long; in a thread those among the newest 5,000 pins; `offset` is above 0 if some are left.';
