import { defineMethod } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { forumCall } from '../../examples/seeded-things.ts';
import { pageParticipants, viewParticipants } from '../../model/group-calls/call-participants.ts';
import { readCounts, resolveGroupCall, toTlGroupCall } from '../../model/group-calls/group-calls.ts';
import { listMentioned } from '../../model/peers/mentioned.ts';
import { toTlPeer } from '../../model/peers/tl-peer.ts';

/** A group call and its first participants; for a call that has ended, those at its end. Errors: those of `resolveGroupCall`. */
export const getGroupCall = defineMethod('phone.getGroupCall', async (params, call) => {
  const { record, isAdmin } = await resolveGroupCall(call, params.call);
  const [page, counts, owner] = await Promise.all([
    pageParticipants(call, record.id, '', params.limit),
    readCounts(call, record.id),
    listMentioned(call, [toTlPeer(record.owner)]),
  ]);
  const { participants, users, chats } = await viewParticipants(call, record.id, page.keys);
  const shownIds = new Set([...users, ...chats].map(({ id }) => id));
  return {
    _: 'phone.groupCall',
    call: toTlGroupCall(record, { userId: call.account.userId, isAdmin }, counts),
    participants,
    participantsNextOffset: page.nextOffset,
    chats: [...owner.chats.filter(({ id }) => !shownIds.has(id)), ...chats],
    users: [...owner.users.filter(({ id }) => !shownIds.has(id)), ...users],
  };
});

export const example: Example<'phone.getGroupCall'> = async (context) => ({
  call: await forumCall(context),
  limit: 20,
});
