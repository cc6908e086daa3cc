import type { tl } from '@mtcute/core';
import type { TlJson } from '../../../src/tl/tl-json.ts';
import { MessengerError } from '../../driver.ts';
import { findChannels } from '../model/chats/chats.ts';
import { findUsers } from '../model/people/users.ts';
import type { ExampleContext } from './example.ts';

type OfUser = 'contactId' | 'friendId' | 'botId';
type OfChannel =
  | 'channelId'
  | 'publicChannelId'
  | 'openChannelId'
  | 'forumId'
  | 'monoforumId'
  | 'spareId'
  | 'spareChannelId';

/** A seeded user as an `InputPeer`, with its access hash. */
export async function peerUser(context: ExampleContext, which: OfUser): Promise<TlJson<tl.RawInputPeerUser>> {
  const { userId, accessHash } = await inputUser(context, which);
  return { _: 'inputPeerUser', userId, accessHash };
}

/** A seeded user as an `InputUser`, with its access hash. */
export async function inputUser(
  { call, ids }: ExampleContext,
  which: OfUser,
): Promise<TlJson<tl.RawInputUser>> {
  const [user] = await findUsers(call, [ids[which]]);
  return { _: 'inputUser', userId: ids[which], accessHash: user?.accessHash ?? '0' };
}

/** A seeded channel as an `InputPeer`, with its access hash. */
export async function peerChannel(
  context: ExampleContext,
  which: OfChannel,
): Promise<TlJson<tl.RawInputPeerChannel>> {
  const { channelId, accessHash } = await inputChannel(context, which);
  return { _: 'inputPeerChannel', channelId, accessHash };
}

/** A seeded channel as an `InputChannel`, with its access hash. Error, so that there is no example: `CHANNEL_INVALID` for a deleted one. */
export async function inputChannel(
  { call, ids }: ExampleContext,
  which: OfChannel,
): Promise<TlJson<tl.RawInputChannel>> {
  const channelId = ids[which] ?? 0;
  const [channel] = await findChannels(call, [channelId]);
  if (!channel || channel.deleted) throw new MessengerError('CHANNEL_INVALID');
  return { _: 'inputChannel', channelId, accessHash: channel.accessHash };
}

export const SELF = { _: 'inputPeerSelf' } as const;

export function peerChat(chatId: number) {
  return { _: 'inputPeerChat', chatId } as const;
}
