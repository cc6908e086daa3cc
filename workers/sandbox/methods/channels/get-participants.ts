import { defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { inputChannel } from '../../examples/input-peers.ts';
import { toTlChannel } from '../../model/chats/chats.ts';
import { readLimit } from '../../model/common/history-window.ts';
import { hashOfIds } from '../../model/common/list-hash.ts';
import { findParticipants } from '../../model/conversations/find-participants.ts';
import {
  seesMembers,
  toTlParticipant,
  userIdsIn,
  withVisibleBan,
} from '../../model/conversations/participants.ts';
import { resolveChannel } from '../../model/peers/resolve-peer.ts';
import { viewUsers } from '../../model/people/view-users.ts';

/**
 * A page of the members of a channel, newest first, or of its banned users; `channelParticipantsNotModified` if `hash` is the hash of their
 * ids. Errors: `CHAT_ADMIN_REQUIRED`, `CHANNEL_MONOFORUM_UNSUPPORTED`.
 */
export const getParticipants = defineMethod('channels.getParticipants', async (params, call) => {
  const peer = await resolveChannel(call, params.channel);
  if (peer.channel.kind === 'monoforum') throw new MessengerError('CHANNEL_MONOFORUM_UNSUPPORTED');
  if (!seesMembers(peer)) throw new MessengerError('CHAT_ADMIN_REQUIRED');
  const page = { offset: Math.max(0, params.offset), limit: readLimit(params.limit) };
  const { participants: found, count } = await findParticipants(call, peer, params.filter, page);
  const participants = found.map((one) => withVisibleBan(call, peer, one));
  const hash = hashOfIds(participants.map(({ userId }) => userId));
  if (participants.length > 0 && hash === params.hash)
    return { _: 'channels.channelParticipantsNotModified' };
  return {
    _: 'channels.channelParticipants',
    count,
    participants: participants.map((one) => toTlParticipant(call, peer, one)),
    chats: [toTlChannel(peer.channel, call.account.userId, peer.member)],
    users: await viewUsers(call, [...new Set(participants.flatMap(userIdsIn))]),
  };
});

export const example: Example<'channels.getParticipants'> = async (context) => ({
  channel: await inputChannel(context, 'forumId'),
  filter: { _: 'channelParticipantsRecent' },
  offset: 0,
  limit: 20,
  hash: '0',
});

export const difference = 'A search by name looks at the 200 newest banned users.';
