import type { CallContext } from '../../../driver.ts';
import { findBans } from './bans.ts';
import { findChannels, findMember, type TlChat, toForbiddenChannel, toTlChannel } from './chats.ts';
import { isForbidden } from './rights.ts';

/**
 * The channels of these ids as the calling account sees them: a `chatEmpty` for each that does not exist, a `channelForbidden` for each that
 * has banned it.
 */
export async function viewChannels(call: CallContext, ids: readonly number[]): Promise<TlChat[]> {
  const viewer = call.account.userId;
  const [channels, members] = await Promise.all([
    findChannels(call, ids),
    Promise.all(ids.map((id) => findMember(call, id, viewer))),
  ]);
  return Promise.all(
    channels.map(async (channel, i): Promise<TlChat> => {
      const [id, member] = [ids[i] as number, members[i] ?? null];
      if (!channel) return { _: 'chatEmpty', id };
      const [ban = null] = member ? [] : await findBans(call, id, [viewer]);
      if (isForbidden(ban, 'viewMessages', call.date)) return toForbiddenChannel(channel, ban);
      return toTlChannel(channel, viewer, member);
    }),
  );
}
