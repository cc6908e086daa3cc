import { defineMethod } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { inviteOf } from '../../examples/seeded-things.ts';
import { listMemberIds, toTlChannel, toTlChat } from '../../model/chats/chats.ts';
import { resolveInvite } from '../../model/peers/resolve-invited.ts';

/**
 * The group or channel of an invite link. Errors: `INVITE_HASH_EMPTY`, `INVITE_HASH_INVALID`, `INVITE_HASH_EXPIRED` (also for banned
 * users).
 */
export const checkChatInvite = defineMethod('messages.checkChatInvite', async ({ hash }, call) => {
  const found = await resolveInvite(call, hash);
  const self = call.account.userId;
  if (found.isIn) {
    const chat =
      found.kind === 'chat'
        ? toTlChat(found.chat, self)
        : toTlChannel(found.channel, self, found.peer.member);
    return { _: 'chatInviteAlready', chat };
  }
  const shown = {
    _: 'chatInvite',
    photo: { _: 'photoEmpty', id: '0' },
    color: 0,
  } as const;
  if (found.kind === 'chat') {
    const { title, about = '', members } = found.chat;
    return { ...shown, title, ...(about === '' ? {} : { about }), participantsCount: members.length };
  }
  const { id, title, about, kind, username } = found.channel;
  return {
    ...shown,
    channel: true,
    ...(kind === 'broadcast' ? { broadcast: true } : { megagroup: true }),
    ...(username === null ? {} : { public: true }),
    title,
    ...(about === '' ? {} : { about }),
    participantsCount: (await listMemberIds(call, id)).length,
  };
});

export const example: Example<'messages.checkChatInvite'> = (context) => inviteOf(context);
