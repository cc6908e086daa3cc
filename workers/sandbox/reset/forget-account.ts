import type { CallContext } from '../../driver.ts';
import { forgetUpload, isClaimed } from '../model/files/forget.ts';
import { forgetCall } from '../model/group-calls/forget.ts';
import type { Seeded } from '../model/people/seeded.ts';
import { forgetPoll } from '../model/polls/forget.ts';
import { forgetSponsored } from '../model/sponsored/sponsored.ts';
import { forgetTheme } from '../model/themes/forget.ts';
import { isChannelUsed, leaveChannels } from './leave-channels.ts';
import { leaveConversations } from './leave-conversations.ts';
import type { Leaver } from './leaver.ts';
import { subjects } from './subjects.ts';

// The most writes that the removal of a subject takes.
const WRITES_OF_SUBJECT = 110;

/**
 * Removes a user's data from all that it shares with others, and its groups and channels that no other account uses. False if there is more
 * than fits a commit. The user's own keys are left to `forgetOwnKeys`.
 */
export async function forgetAccount(call: CallContext, leaver: Leaver, seeded: Seeded): Promise<boolean> {
  const { chatId, channelId, publicChannelId, openChannelId, forumId, monoforumId } = seeded;
  const spareIds = [seeded.spareId, seeded.spareChannelId].filter((id) => id !== undefined);
  const channelIds = [channelId, publicChannelId, openChannelId, forumId, monoforumId, ...spareIds];
  const chatIds = [chatId, seeded.invitedId, seeded.spareChatId].filter((id) => id !== undefined);
  if (!(await leaveConversations(call, leaver, chatIds))) return false;
  if (!(await leaveChannels(call, leaver, channelIds))) return false;
  for (const { forget } of subjects) {
    if (call.tx.writesLeft < WRITES_OF_SUBJECT) return false;
    if (forget && !(await forget(call, leaver.userId))) return false;
  }
  return forgetSponsored(call, `u${seeded.botId}`);
}

/** Removes the keys that belong to a user only. */
export function forgetOwnKeys({ tx }: CallContext, userId: number): void {
  for (const [name, type] of subjects.flatMap(({ ownKeys }) => ownKeys?.(userId) ?? [])) tx.del(name, type);
}

/** Removes seeded objects that nobody else uses, and returns their ids, which are free for new ones. */
export async function forgetSeeded(
  call: CallContext,
  userId: number,
  seeded: Seeded,
): Promise<Partial<Seeded>> {
  const { groupCallId, runningCallId, invoiceId, pollId, themeId, fileId, forumId } = seeded;
  const [isForumUsed, isFileUsed, isThemeUsed] = await Promise.all([
    isChannelUsed(call, forumId, userId),
    isClaimed(call, userId, fileId),
    forgetTheme(call, themeId, userId),
  ]);
  if (!isForumUsed) forgetPoll(call, pollId);
  if (!isForumUsed) forgetCall(call, runningCallId);
  if (!isFileUsed) forgetUpload(call, userId, fileId);
  return {
    groupCallId,
    ...(invoiceId === undefined ? {} : { invoiceId }),
    ...(isForumUsed ? {} : { pollId, runningCallId }),
    ...(isThemeUsed ? {} : { themeId }),
    ...(isFileUsed ? {} : { fileId }),
  };
}
