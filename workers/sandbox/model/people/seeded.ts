import { type CallContext, MessengerError } from '../../../driver.ts';
import { USERS } from './keys.ts';

/** Ids of what was made for an account when it was connected, so that every method has something to act on. */
export interface Seeded {
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
  /**
   * Its own supergroup, which gets topics and has a planned call, and a basic group that it has an invite link to; absent like `invoiceId`.
   */
  spareId?: number;
  /** Its own channel, which no other example uses; absent like `invoiceId`. */
  spareChannelId?: number;
  /** Its own basic group, which no other example uses; absent like `invoiceId`. */
  spareChatId?: number;
  invitedId?: number;
  /** Numbers of its collectible gifts. */
  collectibles: number[];
  /** A group call of the basic group that has ended. */
  groupCallId: string;
  /** A running group call of the forum. */
  runningCallId: string;
  /** A scheduled group call of its spare supergroup; absent like `invoiceId`. */
  plannedCallId?: string;
  /** A poll in the forum. */
  pollId: string;
  /** A theme it created. */
  themeId: string;
  /** The invoice in its own chat; absent if the account was seeded by a release that did not record it. */
  invoiceId?: string;
  /** A file it uploaded. */
  fileId: string;
}

/** The field of a user's seeded objects, in the hash of users. */
export function seededField(userId: number): string {
  return `${userId}:furnished`;
}

/** The things seeded for the calling account, or null. */
export async function findSeeded({ tx, account }: CallContext): Promise<Seeded | null> {
  const raw = await tx.read.hget(tx.key(USERS), seededField(account.userId));
  return raw === null ? null : (JSON.parse(raw) as Seeded);
}

/** The things seeded for the calling account. Error: `PEER_ID_INVALID`. */
export async function getSeeded(call: CallContext): Promise<Seeded> {
  const seeded = await findSeeded(call);
  if (!seeded) throw new MessengerError('PEER_ID_INVALID');
  return seeded;
}
