import type { CallContext } from '../../driver.ts';
import { CHATS } from '../model/chats/keys.ts';
import { DUE, letOthersGoFirst, postponeWork } from '../model/common/due.ts';
import { forgetCall } from '../model/group-calls/forget.ts';
import { USERS } from '../model/people/keys.ts';
import { type Seeded, seededField } from '../model/people/seeded.ts';
import { forgetAccount, forgetOwnKeys, forgetSeeded } from './forget-account.ts';

// The most writes that the last commit takes besides those of the subjects.
const WRITES_OF_END = 120;

/** Has a deleted user's data removed after the call's commit. */
export function forgetLater(call: CallContext, userId: number): Promise<void> {
  return postponeWork(call, `deleted:${userId}`);
}

/**
 * Continues postponed work: removes what a deleted user alone has, as much as fits the commit. What others see of it stays: its record, its
 * memberships, and the messages that it has sent.
 */
export async function continueForgettingDeleted(call: CallContext, work: string): Promise<void> {
  const { tx } = call;
  const userId = Number(work.split(':')[1]);
  const raw = await tx.observe(USERS, seededField(userId));
  if (raw !== null) {
    const seeded = JSON.parse(raw) as Seeded;
    const isForgotten = await forgetAccount(call, { userId, staysMember: true }, seeded);
    if (!isForgotten || tx.writesLeft < WRITES_OF_END) return letOthersGoFirst(call, work);
    await forgetSeeded(call, userId, seeded);
    if (await isGroupGone(call, seeded.chatId)) forgetCall(call, seeded.groupCallId);
    tx.hdel(USERS, seededField(userId));
  }
  forgetOwnKeys(call, userId);
  tx.zrem(DUE, work);
  // Its scheduled messages are gone.
  tx.zrem(DUE, userId);
}

async function isGroupGone({ tx }: CallContext, chatId: number): Promise<boolean> {
  const isRemoved = [...tx.changesOf(CHATS)].some(([id, value]) => id === `${chatId}` && value === null);
  return isRemoved || (await tx.read.hget(tx.key(CHATS), `${chatId}`)) === null;
}
