import { type CallContext, MessengerError } from '../../../driver.ts';
import { SEQ, userBox } from '../common/keys.ts';
import { someFields } from '../common/scan-some.ts';
import { blocksField, blocksKey, USERS } from './keys.ts';
import { targetOf, toUser, type UserRecord } from './users.ts';

// Each block takes two writes.
const FORGOTTEN_AT_ONCE = 25;

// The value of a field that says that a user has blocked another.
const BLOCKED = '1';

/** Whether the calling account has blocked a user, and whether the user has blocked it. */
export interface Blocks {
  own: boolean;
  theirs: boolean;
}

/** Throws `YOU_BLOCKED_USER` if the calling account has blocked a user, `USER_IS_BLOCKED` if it was blocked by it. */
export function refuseBlocked({ own, theirs }: Blocks): void {
  if (own) throw new MessengerError('YOU_BLOCKED_USER');
  if (theirs) throw new MessengerError('USER_IS_BLOCKED');
}

/** Whether the calling account has blocked a user, and whether the user has blocked it. */
export async function findBlocks(call: CallContext, userId: number): Promise<Blocks> {
  const self = call.account.userId;
  const { tx } = call;
  const fields = [blockField(self, userId), blockField(userId, self)];
  const [own, theirs] = await tx.read.hmget(tx.key(USERS), ...fields);
  return { own: own !== null, theirs: theirs !== null };
}

/** A user and the blocks between it and the calling account, in one read: most calls that resolve a user send it something. */
export async function findUserAndBlocks(
  call: CallContext,
  userId: number,
): Promise<{ user: UserRecord | null; blocks: Blocks }> {
  const self = call.account.userId;
  const { tx } = call;
  const [user = null, own, theirs] = await tx.read.hmget(
    tx.key(USERS),
    `${userId}`,
    blockField(self, userId),
    blockField(userId, self),
  );
  return { user: toUser(user), blocks: { own: own !== null, theirs: theirs !== null } };
}

/** Those of these users whom `ownerId` has blocked. */
export async function findBlocked(
  { tx }: CallContext,
  ownerId: number,
  userIds: readonly number[],
): Promise<Set<number>> {
  if (userIds.length === 0) return new Set();
  const found = await tx.read.hmget(tx.key(USERS), ...userIds.map((id) => blockField(ownerId, id)));
  return new Set(userIds.filter((_, i) => found[i] !== null));
}

/** The commit passes only if a user has not blocked the calling account by then. */
export function expectUnblocked({ tx, account }: CallContext, ownerId: number): void {
  tx.expectField(USERS, blockField(ownerId, account.userId), null);
}

/** Blocks or unblocks a user for the calling account; a bot is told that the account stops it, or starts it again. */
export function setBlocked(
  call: CallContext,
  { user, blocks }: { user: UserRecord; blocks?: Blocks },
  isBlocked: boolean,
): void {
  const { tx, account, date } = call;
  const field = blockField(account.userId, user.id);
  const was = blocks?.own === true;
  tx.expectField(USERS, field, was ? BLOCKED : null);
  if (isBlocked) {
    tx.hset(USERS, field, BLOCKED);
    tx.hset(blocksKey(account.userId), user.id, String(date));
    tx.hincrby(SEQ, blocksField(account.userId), 1);
  } else {
    tx.hdel(USERS, field);
    tx.hdel(blocksKey(account.userId), user.id);
  }
  if (was !== isBlocked && user.bot && user.accountId !== null) notifyBot(call, user, isBlocked);
}

function notifyBot({ tx, account, date }: CallContext, bot: UserRecord, stopped: boolean): void {
  const qts = tx.allocate(SEQ, `qts:${userBox(bot.id)}`);
  tx.update(targetOf(bot), { _: 'updateBotStopped', userId: account.userId, date, stopped, qts });
}

/** Forgets whom a user has blocked, if it blocks nobody meanwhile. False if there are more than fit this commit. */
export async function forgetBlocks(call: CallContext, userId: number): Promise<boolean> {
  const { tx } = call;
  await tx.observe(SEQ, blocksField(userId));
  tx.hdel(SEQ, blocksField(userId));
  const blocked = await someFields(call, blocksKey(userId), FORGOTTEN_AT_ONCE);
  for (const id of blocked) {
    tx.hdel(USERS, blockField(userId, Number(id)));
    tx.hdel(blocksKey(userId), id);
  }
  return (await tx.read.hlen(tx.key(blocksKey(userId)))) <= blocked.length;
}

// In the hash of users: a call that writes to a user looks that user up anyway.
function blockField(userId: number, blockedId: number): string {
  return `${userId}:${blockedId}`;
}
