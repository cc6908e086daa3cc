import { type CallContext, type ControlOrder, MessengerError } from '../../driver.ts';
import { clearFaults } from '../faults.ts';
import { SEQ, userBox } from '../model/common/keys.ts';
import { forgetUpload, isClaimed } from '../model/files/forget.ts';
import { forgetCall } from '../model/group-calls/forget.ts';
import { ACCOUNTS, USERS } from '../model/people/keys.ts';
import { type Seeded, seededField } from '../model/people/seeded.ts';
import type { UserRecord } from '../model/people/users.ts';
import { forgetPoll } from '../model/polls/forget.ts';
import { forgetTheme, isThemeUsedByOthers } from '../model/themes/forget.ts';
import { seedAccount, takeSeededIds } from '../seed/seed-account.ts';
import { isChannelUsed, leaveChannels } from './leave-channels.ts';
import { leaveConversations } from './leave-conversations.ts';
import { subjects } from './subjects.ts';

// The most writes that the removal of a subject takes, and that the seeding takes.
const WRITES_OF_SUBJECT = 110;
const WRITES_OF_SEEDS = 250;

/**
 * Returns an account to its seeded state: it leaves its groups and channels, loses its messages, contacts and settings, and gets a new
 * group and new channels. Objects seeded before are removed, unless others use them. The account stays the same user; message ids, `pts`
 * and `qts` go on. `done` is false if there was more to remove than fits one commit: the order must then be repeated.
 */
export const resetAccount: ControlOrder = async (_payload, call) => {
  const { tx } = call;
  const [self, seeded] = await findSelf(call);
  const counter = `msg:${userBox(self.id)}`;
  const last = await tx.read.hget(tx.key(SEQ), counter);
  if (!(await forgetAll(call, self.id, seeded)) || tx.writesLeft < WRITES_OF_SEEDS) return { done: false };
  // Updates that arrive meanwhile have to be removed too.
  tx.expectField(SEQ, counter, last);
  for (const [name, type] of subjects.flatMap(({ ownKeys }) => ownKeys?.(self.id) ?? [])) tx.del(name, type);
  clearFaults(call);
  const { contactId, friendId, botId } = seeded;
  const taken = await takeSeededIds(call);
  const ids = { contactId, friendId, botId, ...taken, ...(await replaceSeeded(call, self.id, seeded)) };
  await seedAccount({ call, self, ids, again: true });
  return { done: true };
};

async function findSelf({ tx, account }: CallContext): Promise<[UserRecord, Seeded]> {
  const userId = await tx.observe(ACCOUNTS, account.id);
  if (userId === null) throw new MessengerError('USER_ID_INVALID');
  const found = [tx.observe(USERS, userId), tx.observe(USERS, seededField(Number(userId)))];
  const [user, seeded] = await Promise.all(found);
  if (!user || !seeded) throw new MessengerError('USER_ID_INVALID');
  const {
    lastName: _,
    about: __,
    birthday: ___,
    onlineUntil: ____,
    ...self
  } = JSON.parse(user) as UserRecord;
  return [self, JSON.parse(seeded)];
}

async function forgetAll(call: CallContext, userId: number, seeded: Seeded): Promise<boolean> {
  const { chatId, channelId, publicChannelId, openChannelId, forumId, monoforumId } = seeded;
  const spareIds = [seeded.spareId, seeded.spareChannelId].filter((id) => id !== undefined);
  const channelIds = [channelId, publicChannelId, openChannelId, forumId, monoforumId, ...spareIds];
  const chatIds = [chatId, seeded.invitedId, seeded.spareChatId].filter((id) => id !== undefined);
  if (!(await leaveConversations(call, userId, chatIds))) return false;
  if (!(await leaveChannels(call, userId, channelIds))) return false;
  for (const { forget } of subjects) {
    if (call.tx.writesLeft < WRITES_OF_SUBJECT) return false;
    if (forget && !(await forget(call, userId))) return false;
  }
  return true;
}

/** Removes seeded objects that nobody else uses, and returns the ids for the new ones. */
async function replaceSeeded(call: CallContext, userId: number, seeded: Seeded): Promise<Partial<Seeded>> {
  const { groupCallId, runningCallId, invoiceId, pollId, themeId, fileId, forumId } = seeded;
  const [isForumUsed, isThemeUsed, isFileUsed] = await Promise.all([
    isChannelUsed(call, forumId, userId),
    isThemeUsedByOthers(call, themeId, userId),
    isClaimed(call, userId, fileId),
  ]);
  if (!isForumUsed) forgetPoll(call, pollId);
  if (!isForumUsed) forgetCall(call, runningCallId);
  if (!isThemeUsed) await forgetTheme(call, themeId);
  if (!isFileUsed) forgetUpload(call, userId, fileId);
  return {
    groupCallId,
    ...(invoiceId === undefined ? {} : { invoiceId }),
    ...(isForumUsed ? {} : { pollId, runningCallId }),
    ...(isThemeUsed ? {} : { themeId }),
    ...(isFileUsed ? {} : { fileId }),
  };
}
