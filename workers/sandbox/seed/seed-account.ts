import type { CallContext } from '../../driver.ts';
import { CHANNEL_IDS, CHAT_IDS } from '../model/chats/keys.ts';
import { takeIds } from '../model/common/take-ids.ts';
import { randomLong } from '../model/files/documents.ts';
import { COLLECTIBLE_IDS } from '../model/gifts/keys.ts';
import type { Seeded } from '../model/people/seeded.ts';
import type { UserRecord } from '../model/people/users.ts';
import { seedChannels, seedGroup } from './chats.ts';
import { seedForum } from './forum.ts';
import { seedGifts } from './gifts.ts';
import { seedGroupCall, seedRunningCall } from './group-call.ts';
import { seedOwnChat } from './own-chat.ts';
import { seedPayments } from './payments.ts';
import { seedQuery } from './query.ts';
import { seedScheduled } from './scheduled.ts';
import type { Seeding } from './seeding.ts';
import { seedSponsored } from './sponsored.ts';
import { seedTheme } from './theme.ts';
import { seedTopic } from './topic.ts';
import { seedUpload } from './upload.ts';
import { seedUsers } from './users.ts';

/** Makes everything that every account has to act on from its first minute. */
export async function seedAccount(seeding: Seeding): Promise<void> {
  seedUsers(seeding);
  seedOwnChat(seeding);
  seedGroup(seeding);
  seedChannels(seeding);
  seedPayments(seeding);
  seedGifts(seeding);
  seedSponsored(seeding);
  seedGroupCall(seeding);
  seedForum(seeding);
  seedTopic(seeding);
  seedRunningCall(seeding);
  seedTheme(seeding);
  seedUpload(seeding);
  await seedScheduled(seeding);
  seedQuery(seeding);
}

/** Ids of all that is made anew, also when an account is brought back to its seeded state. */
export async function takeSeededIds(
  call: CallContext,
): Promise<Omit<Seeded, 'contactId' | 'friendId' | 'botId'>> {
  const [chats, channels, collectibles] = await Promise.all([
    takeIds(call, CHAT_IDS, 2),
    takeIds(call, CHANNEL_IDS, 6),
    takeIds(call, COLLECTIBLE_IDS, 2),
  ]);
  const [chatId, invitedId] = chats as [number, number];
  const [channelId, publicChannelId, forumId, monoforumId, openChannelId, spareId] = channels as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  return {
    chatId,
    channelId,
    publicChannelId,
    openChannelId,
    forumId,
    monoforumId,
    spareId,
    invitedId,
    collectibles,
    groupCallId: randomLong(),
    runningCallId: randomLong(),
    pollId: randomLong(),
    invoiceId: randomLong(),
    themeId: randomLong(),
    fileId: randomLong(),
  };
}

/** What management gets to know of an account's user. */
export function toConnected({ id, username, phone }: UserRecord) {
  return { userId: id, username, phone };
}
