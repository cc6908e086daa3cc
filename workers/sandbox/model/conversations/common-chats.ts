import type { CallContext } from '../../../driver.ts';
import { type ChatRecord, findChannels, findChats } from '../chats/chats.ts';
import { joinedKey } from '../chats/keys.ts';
import type { TlPeer } from '../peers/tl-peer.ts';
import { dialogsKey } from './keys.ts';

const GROUPS_MAX = 100;

/** The groups and supergroups that the calling account shares with a user; of basic groups those among its 100 latest dialogs. */
export async function listCommonChats(call: CallContext, userId: number): Promise<TlPeer[]> {
  const { tx, account } = call;
  const [dialogs, own, theirs] = await Promise.all([
    tx.read.zrevrange(tx.key(dialogsKey(account.userId)), 0, GROUPS_MAX - 1),
    tx.read.smembers(tx.key(joinedKey(account.userId))),
    tx.read.smembers(tx.key(joinedKey(userId))),
  ]);
  const groupIds = dialogs.filter((key) => key.startsWith('g')).map((key) => Number(key.slice(1)));
  const groups = await findChats(call, groupIds);
  const isIn = ({ members }: ChatRecord, id: number) => members.some((member) => member.userId === id);
  const common = groups.filter((chat) => chat !== null && isIn(chat, userId) && isIn(chat, account.userId));
  const joined = new Set(theirs);
  const shared = own.filter((channelId) => joined.has(channelId)).map(Number);
  // Only administrators may know who subscribes to a channel.
  const channels = (await findChannels(call, shared)).filter((channel) => channel?.kind === 'megagroup');
  return [
    ...common.flatMap((chat) => (chat ? [{ _: 'peerChat' as const, chatId: chat.id }] : [])),
    ...channels.flatMap((channel) => (channel ? [{ _: 'peerChannel' as const, channelId: channel.id }] : [])),
  ];
}
