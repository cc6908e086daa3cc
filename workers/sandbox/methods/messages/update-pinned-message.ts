import type { Update } from '../../../../src/tl/tl-json.ts';
import { type CallContext, defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { SELF } from '../../examples/input-peers.ts';
import { ownMessage } from '../../examples/own-message.ts';
import type { FoundMessage, TlMessage } from '../../model/boxes/messages.ts';
import { getMessage } from '../../model/messages/get-message.ts';
import { postMessage } from '../../model/messages/post-message.ts';
import { findReply } from '../../model/messages/replies.ts';
import { listMentioned } from '../../model/peers/mentioned.ts';
import type { Peer } from '../../model/peers/peer.ts';
import { resolvePeer } from '../../model/peers/resolve-peer.ts';
import { toTlPeer } from '../../model/peers/tl-peer.ts';
import { requirePinRight } from '../../model/pins/may-pin.ts';
import { isPinned, setPinned } from '../../model/pins/set-pinned.ts';

const PIN_ACTION = { _: 'messageActionPinMessage' } as const;
// The writes of a service message: for each member, and in addition once.
const WRITES_EACH = 3;
const WRITES_ONCE = 10;

/**
 * Pins a message for everybody in its conversation, with a service message, or unpins it; with `pmOneside` in a private chat only for the
 * account, and without one. Errors: `MESSAGE_ID_INVALID`, `CHAT_NOT_MODIFIED`, `BOT_ONESIDE_NOT_AVAIL`, and those of `requirePinRight`.
 */
export const updatePinnedMessage = defineMethod('messages.updatePinnedMessage', async (params, call) => {
  const { unpin = false, pmOneside = false, silent, id } = params;
  if (pmOneside && call.account.bot) throw new MessengerError('BOT_ONESIDE_NOT_AVAIL');
  const peer = await resolvePeer(call, params.peer);
  requirePinRight(call, peer);
  const found = await getMessage(call, peer, id);
  if (found.message._ !== 'message') throw new MessengerError('MESSAGE_ID_INVALID');
  const oneSide = pmOneside && peer.kind === 'user';
  const update =
    isPinned(found) === unpin && (await setPinned(call, peer, [found], { pinned: !unpin, oneSide }));
  if (!update) throw new MessengerError('CHAT_NOT_MODIFIED');
  const isAnnounced = !unpin && !oneSide && !isOwnChat(call, peer);
  const posted = isAnnounced ? await announcePin(call, peer, found.message, silent === true) : [];
  const self = { _: 'peerUser' as const, userId: call.account.userId };
  return {
    _: 'updates',
    updates: [update, ...posted],
    ...(await listMentioned(call, [toTlPeer(peer), self])),
    date: call.date,
    seq: 0,
  };
});

function isOwnChat(call: CallContext, peer: Peer): boolean {
  return peer.kind === 'user' && peer.id === call.account.userId;
}

async function announcePin(
  call: CallContext,
  peer: Peer,
  { id }: FoundMessage['message'],
  silent: boolean,
): Promise<Update[]> {
  const count = peer.kind === 'chat' ? peer.chat.members.length : 2;
  if (call.tx.writesLeft < WRITES_EACH * count + WRITES_ONCE) return [];
  const reply = await findReply(call, peer, { _: 'inputReplyToMessage', replyToMsgId: id });
  const draft = { _: 'messageService' as const, action: PIN_ACTION, ...(silent ? { silent } : {}) };
  const { message, pts } = await postMessage(call, peer, draft, { reply });
  const kind = peer.kind === 'channel' ? 'updateNewChannelMessage' : 'updateNewMessage';
  return [{ _: kind, message: message as TlMessage, pts, ptsCount: 1 }];
}

export const example: Example<'messages.updatePinnedMessage'> = async (context) => {
  const own = await ownMessage(context);
  return own && { peer: SELF, id: own.message.id, ...(isPinned(own) ? { unpin: true } : {}) };
};

export const difference =
  'In channels only administrators pin. A basic group of more than 70 gets no service message.';
