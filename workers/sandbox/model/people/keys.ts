import { cacheNames } from '../common/cached-names.ts';

/**
 * The keys of users. The letters are those of `common/keys.ts`.
 *
 *   users               hash: U -> UserRecord; `U:furnished` -> Seeded, of an account; `U:V` of every user V whom U has blocked
 *   usernames           hash: lower-case username -> peer key
 *   accounts            hash: messenger account id -> U
 *   contacts:U          hash: user id -> ContactRecord, of each contact of U
 *   blocks:U            hash: user id -> date, of every user whom U has blocked
 *   close-friends:U     set: user ids of the contacts of U that are its close friends
 *   events:U            sorted set: updates of an account other than new messages, by their pts: the last 2,000, for a month after the last
 */
export const USERS = 'users';
export const USERNAMES = 'usernames';
export const ACCOUNTS = 'accounts';
export const USER_IDS = { counter: 'user', records: USERS } as const;

export const contactsKey = cacheNames((userId: number) => `contacts:${userId}`);

export function blocksKey(userId: number): string {
  return `blocks:${userId}`;
}

/** The counter of a user that grows whenever it blocks somebody. */
export function blocksField(userId: number): string {
  return `blocks:${userId}`;
}

export function eventsKey(userId: number): string {
  return `events:${userId}`;
}

/** The counter of a user that grows whenever it changes the list of its close friends. */
export function closeFriendsField(userId: number): string {
  return `friends:${userId}`;
}

export function closeFriendsKey(userId: number): string {
  return `close-friends:${userId}`;
}
