import { defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { inputChannel } from '../../examples/input-peers.ts';
import { CHANNELS } from '../../model/chats/keys.ts';
import { notifyChannel } from '../../model/chats/notify-channel.ts';
import { resolveChannel } from '../../model/peers/resolve-peer.ts';
import { USERNAMES } from '../../model/people/keys.ts';

const USERNAME = /^[A-Za-z][A-Za-z0-9_]{3,31}$/;

// New accounts, their contacts and their channels have such names.
const RESERVED = /^(?:account_\d|channel_\d{10,}$)/i;

/**
 * Makes a channel public under a name, or private with an empty one. Errors: `CHAT_ADMIN_REQUIRED`, `CHANNEL_INVALID` for a monoforum,
 * `USERNAME_INVALID`, `USERNAME_OCCUPIED`, `USERNAME_NOT_MODIFIED`.
 */
export const updateUsername = defineMethod('channels.updateUsername', async (params, call) => {
  const { tx } = call;
  const { id, channel, member, key } = await resolveChannel(call, params.channel);
  if (channel.kind === 'monoforum') throw new MessengerError('CHANNEL_INVALID');
  if (member?.role !== 'creator') throw new MessengerError('CHAT_ADMIN_REQUIRED');
  const username = params.username === '' ? null : params.username;
  if (username === channel.username) throw new MessengerError('USERNAME_NOT_MODIFIED');
  if (username !== null && !USERNAME.test(username)) throw new MessengerError('USERNAME_INVALID');
  const owned = channel.username?.toLowerCase();
  if (owned !== undefined && owned !== username?.toLowerCase()) tx.hdel(USERNAMES, owned);
  if (username !== null) {
    const owner = await tx.observe(USERNAMES, username.toLowerCase());
    // A channel keeps one that it has, and may take the one that it was made with again.
    const isReserved = RESERVED.test(username) && username.toLowerCase() !== `channel_${id}`;
    const isTaken = owner === null ? isReserved : owner !== key;
    if (isTaken) throw new MessengerError('USERNAME_OCCUPIED');
    tx.hset(USERNAMES, username.toLowerCase(), key);
  }
  tx.expectField(CHANNELS, id, JSON.stringify(channel));
  tx.hset(CHANNELS, id, { ...channel, username });
  await notifyChannel(call, id, { _: 'updateChannel', channelId: id });
  return true;
});

export const example: Example<'channels.updateUsername'> = async (context) => ({
  channel: await inputChannel(context, 'channelId'),
  username: `channel_${context.ids.channelId}_news`,
});
