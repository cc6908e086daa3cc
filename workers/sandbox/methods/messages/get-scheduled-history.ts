import { defineMethod } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { peerUser } from '../../examples/input-peers.ts';
import { hashOfIds } from '../../model/common/list-hash.ts';
import { pageBudget } from '../../model/common/read-budget.ts';
import { toMessageList } from '../../model/messages/message-list.ts';
import { requirePostingRight } from '../../model/peers/require-write-access.ts';
import { resolvePeer } from '../../model/peers/resolve-peer.ts';
import { findScheduled, listScheduled } from '../../model/scheduled/scheduled-messages.ts';

/** The account's scheduled messages for a conversation, the latest first. Errors: `CHAT_ADMIN_REQUIRED`. */
export const getScheduledHistory = defineMethod('messages.getScheduledHistory', async (params, call) => {
  const peer = await resolvePeer(call, params.peer);
  requirePostingRight(peer);
  const fields = (await listScheduled(call)).filter((field) => field.startsWith(`${peer.key}:`));
  const found = (await findScheduled(call, fields.reverse(), pageBudget())).filter((one) => one !== null);
  // The names are in alphabetical order within a second.
  const messages = found.map(({ message }) => message).sort((a, b) => b.date - a.date || b.id - a.id);
  const hash = hashOfIds(messages.flatMap(({ id, date }) => [id, 0, date]));
  if (params.hash !== '0' && params.hash === hash) {
    return { _: 'messages.messagesNotModified', count: messages.length };
  }
  return toMessageList(call, messages);
});

export const example: Example<'messages.getScheduledHistory'> = async (context) => ({
  peer: await peerUser(context, 'contactId'),
  hash: '0',
});
