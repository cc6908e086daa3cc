import type { CallContext } from '../../driver.ts';
import { CHANNEL_IDS, CHAT_IDS } from '../model/chats/keys.ts';
import { takeIds } from '../model/common/take-ids.ts';
import { randomLong } from '../model/files/documents.ts';
import { COLLECTIBLE_IDS } from '../model/gifts/keys.ts';
import type { Seeded } from '../model/people/seeded.ts';
import type { UserRecord } from '../model/people/users.ts';
import { seedChannels, seedGroup, seedSpareChat } from './chats.ts';
import { seedForum } from './forum.ts';
import { seedGifts } from './gifts.ts';
import { seedGroupCall, seedPlannedCall, seedRunningCall } from './group-call.ts';
import { seedOwnChat } from './own-chat.ts';
import { seedPayments } from './payments.ts';
import { seedQuery } from './query.ts';
import { seedScheduled } from './scheduled.ts';
import type { Seeding } from './seeding.ts';
import { seedShop } from './shop.ts';
import { seedSponsored } from './sponsored.ts';
import { seedTheme } from './theme.ts';
import { seedTopic } from './topic.ts';
import { seedUpload } from './upload.ts';
import { seedUsers } from './users.ts';
import { seedVoice } from './voice.ts';

/** Creates the objects that every new account can act on. */
export async function seedAccount(seeding: Seeding): Promise<void> {
  await seedUsers(seeding);
  const invoice = seedOwnChat(seeding);
  seedGroup(seeding);
  seedSpareChat(seeding);
  seedChannels(seeding);
  seedPayments(seeding);
  seedGifts(seeding);
  await seedVoice(seeding);
  await seedShop(seeding, invoice);
  await seedSponsored(seeding);
  seedGroupCall(seeding);
  seedForum(seeding);
  seedTopic(seeding);
  seedRunningCall(seeding);
  seedPlannedCall(seeding);
  seedTheme(seeding);
  seedUpload(seeding);
  await seedScheduled(seeding);
  seedQuery(seeding);
}

/** Takes the ids of all seeded objects that are created again by a reset. */
export async function takeSeededIds(
  call: CallContext,
): Promise<Omit<Seeded, 'contactId' | 'friendId' | 'botId'>> {
  const [chats, channels, collectibles] = await Promise.all([
    takeIds(call, CHAT_IDS, 3),
    takeIds(call, CHANNEL_IDS, 7),
    takeIds(call, COLLECTIBLE_IDS, 2),
  ]);
  const [chatId, invitedId, spareChatId] = chats as [number, number, number];
  const [channelId, publicChannelId, forumId, monoforumId, openChannelId, spareId, spareChannelId] =
    channels as [number, number, number, number, number, number, number];
  return {
    chatId,
    channelId,
    publicChannelId,
    openChannelId,
    forumId,
    monoforumId,
    spareId,
    spareChannelId,
    spareChatId,
    invitedId,
    collectibles,
    groupCallId: randomLong(),
    runningCallId: randomLong(),
    plannedCallId: randomLong(),
    pollId: randomLong(),
    invoiceId: randomLong(),
    themeId: randomLong(),
    fileId: randomLong(),
  };
}

/** The user as the management API sees it. */
export function toConnected({ id, username, phone }: UserRecord) {
  return { userId: id, username, phone };
}
