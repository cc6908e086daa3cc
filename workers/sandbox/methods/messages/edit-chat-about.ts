import { defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { peerChannel } from '../../examples/input-peers.ts';
import { requireGroupRight } from '../../model/chats/group-members.ts';
import { changeGroup, requireRight } from '../../model/groups/change-group.ts';
import { resolvePeer } from '../../model/peers/resolve-peer.ts';

const ABOUT_MAX = 255;

/**
 * Changes the description of a group or channel. Errors: `CHAT_ADMIN_REQUIRED`, `CHAT_ABOUT_TOO_LONG`, `CHAT_ABOUT_NOT_MODIFIED`,
 * `PEER_ID_INVALID` for a private chat.
 */
export const editChatAbout = defineMethod('messages.editChatAbout', async (params, call) => {
  const found = await resolvePeer(call, params.peer);
  if (found.kind === 'chat') requireGroupRight(call, found.chat, 'changeInfo');
  const peer = found.kind === 'chat' ? found : requireRight(call, found, 'changeInfo');
  const about = params.about.trim().toWellFormed();
  if (about.length > ABOUT_MAX) throw new MessengerError('CHAT_ABOUT_TOO_LONG');
  const { about: before = '' } = peer.kind === 'chat' ? peer.chat : peer.channel;
  if (about === before) throw new MessengerError('CHAT_ABOUT_NOT_MODIFIED');
  await changeGroup(call, peer, { about });
  return true;
});

export const example: Example<'messages.editChatAbout'> = async (context) => ({
  peer: await peerChannel(context, 'channelId'),
  about: 'What is new every day',
});
