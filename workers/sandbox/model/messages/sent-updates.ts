import type { MethodResult } from '../../../../src/tl/tl-json.ts';
import type { CallContext } from '../../../driver.ts';
import type { TlMessage } from '../boxes/messages.ts';
import { listMentioned } from '../peers/mentioned.ts';
import type { Peer } from '../peers/peer.ts';
import { toTlPeer } from '../peers/tl-peer.ts';
import type { Posted } from './post.ts';

type PlainMessage = Extract<TlMessage, { _: 'message' }>;

/**
 * What a method that sends one message answers with: `updateShortSentMessage` for a text to another user, as Telegram does, else
 * `updates` with the new message's id and the message.
 */
export async function toSentUpdates(
  call: CallContext,
  peer: Peer,
  { message, pts }: Posted,
  randomId: string,
): Promise<MethodResult<'messages.sendMessage'>> {
  if (isAnsweredShort(call, peer, message)) return toShort(message, pts);
  const peers = [toTlPeer(peer), { _: 'peerUser' as const, userId: call.account.userId }];
  const kind = peer.kind === 'channel' ? 'updateNewChannelMessage' : 'updateNewMessage';
  return {
    _: 'updates',
    updates: [
      { _: 'updateMessageID', id: message.id, randomId },
      { _: kind, message, pts, ptsCount: 1 },
    ],
    ...(await listMentioned(call, peers)),
    date: call.date,
    seq: 0,
  };
}

/** Whether a message is answered with `updateShortSentMessage`, which does not show its random id. */
export function isAnsweredShort(call: CallContext, peer: Peer, message: TlMessage): message is PlainMessage {
  if (peer.kind !== 'user' || peer.id === call.account.userId || message._ !== 'message') return false;
  const { media, replyTo, richMessage } = message;
  return media === undefined && replyTo === undefined && richMessage === undefined;
}

function toShort(message: PlainMessage, pts: number): MethodResult<'messages.sendMessage'> {
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
