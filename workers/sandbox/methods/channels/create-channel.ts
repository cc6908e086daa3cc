import { defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import type { ChannelRecord } from '../../model/chats/chats.ts';
import { addPermanentInvite } from '../../model/chats/invites.ts';
import { CHANNEL_IDS, CHANNELS } from '../../model/chats/keys.ts';
import { readTitle } from '../../model/chats/title.ts';
import { takeIds } from '../../model/common/take-ids.ts';
import { joinAs } from '../../model/conversations/join-channel.ts';
import { randomLong } from '../../model/files/documents.ts';
import { announce } from '../../model/messages/announce.ts';

const ABOUT_MAX = 255;

/** Creates a broadcast channel, or a supergroup, with topics if `forum`. */
export const createChannel = defineMethod('channels.createChannel', async (params, call) => {
  const title = readTitle(params.title);
  if (params.about.length > ABOUT_MAX) throw new MessengerError('CHAT_ABOUT_TOO_LONG');
  if (params.geoPoint !== undefined) throw new MessengerError('ADDRESS_INVALID');
  if ((params.ttlPeriod ?? 0) !== 0) throw new MessengerError('TTL_PERIOD_INVALID');
  const isGroup = params.megagroup === true || params.forum === true;
  const self = call.account.userId;
  const [id] = (await takeIds(call, CHANNEL_IDS, 1)) as [number];
  const channel: ChannelRecord = {
    id,
    kind: params.broadcast && !isGroup ? 'broadcast' : 'megagroup',
    title,
    about: params.about,
    creatorId: self,
    accessHash: randomLong(),
    username: null,
    forum: params.forum === true,
    noforwards: false,
    date: call.date,
    linkedId: null,
  };
  call.tx.hset(CHANNELS, id, channel);
  const member = await joinAs(call, id, 'creator');
  const peer = { kind: 'channel', id, key: `c${id}`, channel, member } as const;
  addPermanentInvite(call, peer.key, self);
  const action = { _: 'messageActionChannelCreate', title } as const;
  return announce(call, peer, action, { memberIds: [self] });
});

export const example: Example<'channels.createChannel'> = () => ({
  broadcast: true,
  title: 'News',
  about: 'What is new',
});

export const difference = 'No channel has a location, or deletes its messages by itself.';
