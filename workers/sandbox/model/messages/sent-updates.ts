import type { MethodResult } from '../../../../src/tl/tl-json.ts';
import type { CallContext } from '../../../driver.ts';
import type { TlMessage } from '../boxes/messages.ts';
import { peersOf } from '../boxes/named-peers.ts';
import { listMentioned } from '../peers/mentioned.ts';
import type { Peer } from '../peers/peer.ts';
import { toTlPeer } from '../peers/tl-peer.ts';
import type { Posted } from './post.ts';

type PlainMessage = Extract<TlMessage, { _: 'message' }>;
type Updates = MethodResult<'messages.sendMessage'>;

/** A message that was sent, and the random id that its sender knows it by. */
export interface Sent extends Posted {
  randomId: string;
}

/**
 * The result of a method that sends one message: `updateShortSentMessage` for a text to another user, as on Telegram, else `updates` with
 * the new message's id and the message.
 */
export function toSentUpdates(call: CallContext, peer: Peer, sent: Sent): Updates | Promise<Updates> {
  if (isAnsweredShort(call, peer, sent.message)) return toShort(sent.message, sent.pts);
  return toAllSentUpdates(call, peer, [sent]);
}

/** The result of a method that sends messages: their ids, the messages, and the users and chats that they mention. */
export async function toAllSentUpdates(
  call: CallContext,
  peer: Peer,
  sent: readonly Sent[],
): Promise<Updates> {
  const kind = peer.kind === 'channel' ? 'updateNewChannelMessage' : 'updateNewMessage';
  const self = { _: 'peerUser' as const, userId: call.account.userId };
  const peers = [toTlPeer(peer), self, ...sent.flatMap(({ message }) => peersOf(message))];
  return {
    _: 'updates',
    updates: [
      ...sent.map(({ message: { id }, randomId }) => ({ _: 'updateMessageID' as const, id, randomId })),
      ...sent.map(({ message, pts }) => ({ _: kind, message, pts, ptsCount: 1 }) as const),
    ],
    ...(await listMentioned(call, peers)),
    date: call.date,
    seq: 0,
  };
}

/** Whether a message is answered with `updateShortSentMessage`, which does not show its random id. */
export function isAnsweredShort(call: CallContext, peer: Peer, message: TlMessage): message is PlainMessage {
  if (peer.kind !== 'user' || peer.id === call.account.userId || message._ !== 'message') return false;
  const { media, replyTo, richMessage, effect } = message;
  return [media, replyTo, richMessage, effect].every((part) => part === undefined);
}

function toShort(message: PlainMessage, pts: number): Updates {
  const { id, date, entities } = message;
  return {
    _: 'updateShortSentMessage',
    out: true,
    id,
    pts,
    ptsCount: 1,
    date,
    ...(entities ? { entities } : {}),
  };
}
