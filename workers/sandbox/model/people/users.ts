import { type CallContext, MessengerError } from '../../../driver.ts';
import { USERS } from '../common/state-keys.ts';

/** A user of the workspace's messenger: an account's, or a furnished one (`accountId` null). */
export interface UserRecord {
  id: number;
  accountId: string | null;
  accessHash: string;
  firstName: string;
  username: string | null;
  phone: string | null;
  bot: boolean;
  /** Its account was taken away. */
  deleted?: boolean;
  /** The support user of the messenger. */
  support?: boolean;
}

/** Ids of what was made for an account when it was connected, so that every method has something to act on. */
export interface Furnished {
  contactId: number;
  friendId: number;
  botId: number;
  chatId: number;
  channelId: number;
  publicChannelId: number;
  /** A public channel it has not joined. */
  openChannelId: number;
  forumId: number;
  monoforumId: number;
  /** Numbers of its collectible gifts. */
  collectibles: number[];
  /** A group call of the basic group that has ended. */
  groupCallId: string;
  /** A group call of the forum that goes on. */
  runningCallId: string;
  /** A poll in the forum. */
  pollId: string;
  /** A theme it created. */
  themeId: string;
  /** A file it uploaded. */
  fileId: string;
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

function toUser(raw: string | null): UserRecord | null {
  return raw === null ? null : (JSON.parse(raw) as UserRecord);
}

/** The user the call is made for. */
export async function getSelf(call: CallContext): Promise<UserRecord> {
  const self = await findUser(call, call.account.userId);
  if (!self) throw new MessengerError('AUTH_KEY_UNREGISTERED');
  return self;
}

/** The field of a user's furnished things, beside the user. */
export function furnishedField(userId: number): string {
  return `${userId}:furnished`;
}

/** The things furnished for the calling account, or null. */
export async function findFurnished({ tx, account }: CallContext): Promise<Furnished | null> {
  const raw = await tx.read.hget(tx.key(USERS), furnishedField(account.userId));
  return raw === null ? null : (JSON.parse(raw) as Furnished);
}

/** The things furnished for the calling account. Error: `PEER_ID_INVALID`. */
export async function getFurnished(call: CallContext): Promise<Furnished> {
  const furnished = await findFurnished(call);
  if (!furnished) throw new MessengerError('PEER_ID_INVALID');
  return furnished;
}

/** Who hears of a user's updates. */
export function targetOf(user: Pick<UserRecord, 'id' | 'accountId'>): {
  messengerAccountId: string | null;
  userId: number;
} {
  return { messengerAccountId: user.accountId, userId: user.id };
}
