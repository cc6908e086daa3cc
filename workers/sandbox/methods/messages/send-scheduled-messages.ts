import { defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { firstScheduled } from '../../examples/first-scheduled.ts';
import { peersOf } from '../../model/boxes/named-peers.ts';
import { refuseSeveral, refuseTooSoon, slowModeSecondsOf } from '../../model/chats/slow-mode.ts';
import { firstDistinct } from '../../model/common/first-distinct.ts';
import { listMentioned } from '../../model/peers/mentioned.ts';
import { resolvePeer } from '../../model/peers/resolve-peer.ts';
import { toTlPeer } from '../../model/peers/tl-peer.ts';
import { listPresent, scheduledField } from '../../model/scheduled/scheduled-messages.ts';
import { findSendable, sendScheduled } from '../../model/scheduled/send-scheduled.ts';

const IDS_MAX = 100;

/**
 * Sends scheduled messages now, in the order given, as many as fit one commit. Errors: `MESSAGE_ID_INVALID` where one is not there,
 * `SLOWMODE_WAIT_n`, `SLOWMODE_MULTI_MSGS_DISABLED`, and those of a message that may not be sent; then all of them stay scheduled.
 */
export const sendScheduledMessages = defineMethod('messages.sendScheduledMessages', async (params, call) => {
  const peer = await resolvePeer(call, params.peer);
  const ids = firstDistinct(params.id, IDS_MAX);
  const isMissing = (await listPresent(call, peer.key, ids)).length < ids.length;
  const records = isMissing
    ? []
    : await findSendable(
        call,
        ids.map((id) => scheduledField(peer.key, id)),
      );
  if (records.length === 0) throw new MessengerError('MESSAGE_ID_INVALID');
  // Slow mode does not apply to messages that are due, but to messages that are sent before their time.
  const seconds = peer.kind === 'channel' ? slowModeSecondsOf(peer) : 0;
  refuseSeveral(
    peer,
    records.map(({ message }) => message),
  );
  if (seconds > 0) await refuseTooSoon(call, peer.id, seconds);
  const { sent, update } = await sendScheduled(call, records, { areDue: false });
  if (!update) throw new MessengerError('PEER_ID_INVALID');
  const kind = peer.kind === 'channel' ? 'updateNewChannelMessage' : 'updateNewMessage';
  const messages = sent.map(
    ({ posted: { message, pts } }) => ({ _: kind, message, pts, ptsCount: 1 }) as const,
  );
  const self = { _: 'peerUser' as const, userId: call.account.userId };
  const peers = sent.flatMap(({ posted }) => peersOf(posted.message));
  return {
    _: 'updates',
    updates: [update, ...messages],
    ...(await listMentioned(call, [toTlPeer(peer), self, ...peers])),
    date: call.date,
    seq: 0,
  };
});

export const example: Example<'messages.sendScheduledMessages'> = firstScheduled;

export const difference = 'Only the first 100 count; the answer says which were sent.';
