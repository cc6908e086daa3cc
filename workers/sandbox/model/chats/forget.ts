import type { CallContext } from '../../../driver.ts';
import type { Forgetting, TypedKey } from '../common/forget.ts';
import { SEQ } from '../common/keys.ts';
import { USERNAMES } from '../people/keys.ts';
import { findChannels, listMemberIds } from './chats.ts';
import {
  banListKey,
  bansKey,
  CHANNELS,
  CLOSING,
  channelEventsKey,
  invitesKey,
  joinedKey,
  leftKey,
  membersKey,
  slowKey,
} from './keys.ts';

export const chats: Forgetting = {
  ownKeys: (userId) => [
    [joinedKey(userId), 's'],
    [leftKey(userId), 's'],
  ],
  channelKeys: (channelId) => [
    [membersKey(channelId), 'h'],
    [channelEventsKey(channelId), 'z'],
  ],
  async forgetChannel(call, channelId) {
    const { tx } = call;
    const [channel] = await findChannels(call, [channelId]);
    if (channel?.username) tx.hdel(USERNAMES, channel.username.toLowerCase());
    tx.hdel(CHANNELS, channelId);
    tx.hdel(CLOSING, channelId);
    // Last: until now, the list shows that there is something to remove.
    for (const userId of await listMemberIds(call, channelId)) tx.srem(joinedKey(userId), channelId);
    await forgetCounters(call, channelId);
    return true;
  },
};

/** Removes a channel's counters, bans, slow-mode dates and invite links; most channels have none of these. */
export async function forgetCounters({ tx }: CallContext, channelId: number): Promise<void> {
  for (const counter of ['msg', 'pts', 'changed', 'story', 'members', 'joined'])
    tx.hdel(SEQ, `${counter}:c${channelId}`);
  const keys: TypedKey[] = [
    [bansKey(channelId), 'h'],
    [banListKey(channelId, 'kicked'), 'z'],
    [banListKey(channelId, 'restricted'), 'z'],
    [invitesKey(`c${channelId}`), 'h'],
    [slowKey(channelId), 'h'],
  ];
  const sizes = await Promise.all(
    keys.map(([name, type]) => (type === 'h' ? tx.read.hlen(tx.key(name)) : tx.read.zcard(tx.key(name)))),
  );
  for (const [i, [name, type]] of keys.entries()) if (sizes[i]) tx.del(name, type);
}
