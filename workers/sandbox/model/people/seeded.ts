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
  /** A supergroup of its own that gets topics and has a planned call, and a basic group that it has a link to; absent as `invoiceId` is. */
  spareId?: number;
  /** A channel of its own that nothing else is about; absent as `invoiceId` is. */
  spareChannelId?: number;
  /** A basic group of its own that nothing else is about; absent as `invoiceId` is. */
  spareChatId?: number;
  invitedId?: number;
  /** Numbers of its collectible gifts. */
  collectibles: number[];
  /** A group call of the basic group that has ended. */
  groupCallId: string;
  /** A group call of the forum that goes on. */
  runningCallId: string;
  /** A group call that its spare supergroup has scheduled; absent as `invoiceId` is. */
  plannedCallId?: string;
  /** A poll in the forum. */
  pollId: string;
  /** A theme it created. */
  themeId: string;
  /** The invoice in its own chat; absent of an account that was seeded before this was kept. */
  invoiceId?: string;
  /** A file it uploaded. */
  fileId: string;
}

/** The field of a user's seeded things, beside the user. */
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
