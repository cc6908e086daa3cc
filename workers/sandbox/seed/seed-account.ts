import type { CallContext } from '../../driver.ts';
import { takeIds } from '../model/common/take-ids.ts';
import { randomLong } from '../model/files/documents.ts';
import type { Furnished, UserRecord } from '../model/people/users.ts';
import { furnishChannels, furnishGroup } from './chats.ts';
import { furnishForum } from './forum.ts';
import { furnishGifts } from './gifts.ts';
import { furnishGroupCall, furnishRunningCall } from './group-call.ts';
import { furnishOwnChat } from './own-chat.ts';
import { furnishPayments } from './payments.ts';
import type { Furnishing } from './seeding.ts';
import { furnishSponsored } from './sponsored.ts';
import { furnishTheme } from './theme.ts';
import { furnishTopic } from './topic.ts';
import { furnishUpload } from './upload.ts';
import { furnishUsers } from './users.ts';

/** Makes everything that every account has to act on from its first minute. */
export function furnishAccount(furnishing: Furnishing): void {
  furnishUsers(furnishing);
  furnishOwnChat(furnishing);
  furnishGroup(furnishing);
  furnishChannels(furnishing);
  furnishPayments(furnishing);
  furnishGifts(furnishing);
  furnishSponsored(furnishing);
  furnishGroupCall(furnishing);
  furnishForum(furnishing);
  furnishTopic(furnishing);
  furnishRunningCall(furnishing);
  furnishTheme(furnishing);
  furnishUpload(furnishing);
}

/** Ids of all that is made anew, also when an account is brought back to its furnished state. */
export async function takeFurnishedIds(
  call: CallContext,
): Promise<Omit<Furnished, 'contactId' | 'friendId' | 'botId'>> {
  const [chats, channels, collectibles] = await Promise.all([
    takeIds(call, 'chat', 1),
    takeIds(call, 'channel', 5),
    takeIds(call, 'collectible', 2),
  ]);
  const [chatId] = chats as [number];
  const [channelId, publicChannelId, forumId, monoforumId, openChannelId] = channels as [
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
    collectibles,
    groupCallId: randomLong(),
    runningCallId: randomLong(),
    pollId: randomLong(),
    themeId: randomLong(),
    fileId: randomLong(),
  };
}

/** What management is told of an account's user. */
export function toConnected({ id, username, phone }: UserRecord) {
  return { userId: id, username, phone };
}
