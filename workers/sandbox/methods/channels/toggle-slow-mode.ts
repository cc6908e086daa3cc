import { defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { inputChannel } from '../../examples/input-peers.ts';
import { findChannels } from '../../model/chats/chats.ts';
import { changeGroup, requireSupergroup } from '../../model/groups/change-group.ts';
import { resolveChannel } from '../../model/peers/resolve-peer.ts';

const SECONDS: readonly number[] = [0, 5, 10, 30, 60, 300, 900, 3_600];

/**
 * Turns on slow mode in a supergroup, in which members who are not administrators wait between two messages, or turns it off. Errors:
 * `CHAT_ADMIN_REQUIRED`, `SECONDS_INVALID`, `CHAT_NOT_MODIFIED`, `CHANNEL_INVALID` for a channel that is not a supergroup.
 */
export const toggleSlowMode = defineMethod('channels.toggleSlowMode', async ({ channel, seconds }, call) => {
  const peer = requireSupergroup(call, await resolveChannel(call, channel), 'banUsers');
  if (!SECONDS.includes(seconds)) throw new MessengerError('SECONDS_INVALID');
  if (seconds === (peer.channel.slowMode ?? 0)) throw new MessengerError('CHAT_NOT_MODIFIED');
  return changeGroup(call, peer, { slowMode: seconds });
});

export const example: Example<'channels.toggleSlowMode'> = async (context) => {
  const [forum] = await findChannels(context.call, [context.ids.forumId]);
  return { channel: await inputChannel(context, 'forumId'), seconds: forum?.slowMode ? 0 : 30 };
};

export const difference = 'Scheduled messages that are due do not wait.';
