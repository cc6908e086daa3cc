import type { tl } from '@mtcute/core';
import type { TlJson, Update } from '../../../../src/tl/tl-json.ts';
import { type CallContext, MessengerError } from '../../../driver.ts';
import { USERS } from './keys.ts';

/** A user of the workspace's messenger: an account's, or a seeded one (`accountId` null). */
export interface UserRecord {
  id: number;
  accountId: string | null;
  accessHash: string;
  firstName: string;
  username: string | null;
  phone: string | null;
  bot: boolean;
  /** Its account was disconnected. */
  deleted?: boolean;
  /** The support user of the messenger. */
  support?: boolean;
  lastName?: string;
  about?: string;
  birthday?: TlJson<tl.RawBirthday>;
  /** When it goes offline, or was last online; absent if it never reported a status. */
  onlineUntil?: number;
}

/** The support user of every workspace's messenger. */
export const SUPPORT_USER_ID = 777;

/** The users of these ids, null for those that do not exist, in one read. */
export async function findUsers(call: CallContext, ids: readonly number[]): Promise<(UserRecord | null)[]> {
  if (ids.length === 0) return [];
  const found = await call.tx.read.hmget(call.tx.key(USERS), ...ids.map(String));
  return found.map(toUser);
}

/** The user of this id, or null. */
export function findUser({ tx }: CallContext, id: number): Promise<UserRecord | null> {
  return tx.read.hget(tx.key(USERS), String(id)).then(toUser);
}

/** The user that a text of the hash of users describes. */
export function toUser(raw: string | null): UserRecord | null {
  return raw === null ? null : (JSON.parse(raw) as UserRecord);
}

/** The user that the call is made for. */
export async function getSelf(call: CallContext): Promise<UserRecord> {
  const self = await findUser(call, call.account.userId);
  if (!self) throw new MessengerError('AUTH_KEY_UNREGISTERED');
  return self;
}

/** The target of a user's updates. */
export function targetOf(user: Pick<UserRecord, 'id' | 'accountId'>): {
  messengerAccountId: string | null;
  userId: number;
} {
  return { messengerAccountId: user.accountId, userId: user.id };
}

/** Sends an update to the account itself, for its other sessions. */
export function notifyOwnSessions({ tx, account }: CallContext, update: Update): void {
  tx.update(targetOf({ id: account.userId, accountId: account.id }), update);
}
