import type { CallContext } from '../../driver.ts';
import { COPIES, historyKey, messagesKey } from '../model/boxes/keys.ts';
import type { StoredMessage, TlMessage } from '../model/boxes/messages.ts';
import { type Box, channelBox, type PeerKey, SEQ, type Thread, userBox } from '../model/common/keys.ts';
import { dialogsKey, threadsKey, unreadKey } from '../model/conversations/keys.ts';
import type { Seeded } from '../model/people/seeded.ts';
import type { UserRecord } from '../model/people/users.ts';

/** The input of seeding an account. */
export interface Seeding {
  call: CallContext;
  self: UserRecord;
  ids: Seeded;
  /** Whether the account already has a box: message ids and `pts` then continue. */
  again: boolean;
}

/** Stores the only message of a new dialog in the account's box. Its id has to be the next one of the box. */
export function storePrivate(
  { call, self, again }: Seeding,
  peer: PeerKey,
  message: TlMessage,
  more: Pick<StoredMessage, 'thread' | 'invoiceId' | 'twin'> = {},
): void {
  const { tx } = call;
  const { thread } = more;
  const box = userBox(self.id);
  if (!again) startCounters(call, box, message.id);
  store(call, box, {
    message,
    ...(again ? {} : { pts: message.id }),
    ...(peer.startsWith('g') ? { copies: startCopies(call, box, message.id) } : {}),
    ...more,
  });
  tx.zadd(historyKey(self.id, peer), message.id, message.id);
  tx.zadd(dialogsKey(self.id), message.date, peer);
  if (thread === undefined) return;
  tx.zadd(historyKey(self.id, peer, thread), message.id, message.id);
  tx.zadd(threadsKey(box, peer), message.date, thread);
}

/** Makes the next message id of a box higher than this id, which an account of an earlier release has not used for its seed yet. */
export async function raiseLastMessageId({ tx }: CallContext, box: Box, id: number): Promise<void> {
  const last = await tx.read.hget(tx.key(SEQ), `msg:${box}`);
  if (Number(last ?? 0) >= id) return;
  tx.expectField(SEQ, `msg:${box}`, last);
  tx.hset(SEQ, `msg:${box}`, String(id));
}

/** Stores a message in a new channel, and adds the channel to the dialogs of `readers`. */
export function storePost(
  { call, self }: Seeding,
  channelId: number,
  message: TlMessage,
  readers: number[],
  thread?: Thread,
): void {
  const box = channelBox(channelId);
  startCounters(call, box, message.id);
  store(call, box, {
    message,
    pts: message.id,
    ...(thread === undefined ? {} : { thread, authorId: self.id }),
  });
  call.tx.zadd(historyKey(0, `c${channelId}`), message.id, message.id);
  for (const userId of readers) {
    call.tx.zadd(dialogsKey(userId), message.date, `c${channelId}`);
    call.tx.hset(unreadKey(userId), `read:c${channelId}`, String(message.id));
  }
}

function store(call: CallContext, box: Box, stored: StoredMessage): void {
  call.tx.hset(messagesKey(box), stored.message.id, stored);
}

// A member who joins the group later may get a copy.
function startCopies({ tx }: CallContext, box: Box, id: number): number {
  const copies = tx.allocate(SEQ, 'copies');
  tx.hset(COPIES, copies, { [box]: id });
  return copies;
}

function startCounters(call: CallContext, box: Box, lastId: number): void {
  call.tx.hset(SEQ, `msg:${box}`, String(lastId));
  call.tx.hset(SEQ, `pts:${box}`, String(lastId));
}
