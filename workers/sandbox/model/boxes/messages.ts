import type { tl } from '@mtcute/core';
import type { TlJson } from '../../../../src/tl/tl-json.ts';
import type { CallContext } from '../../../driver.ts';
import { largeReads } from '../../../turns/large-reads.ts';
import { readingSlices } from '../../../turns/slices.ts';
import { type Box, type Thread, type UserBox, userBox } from '../common/keys.ts';
import type { ReadBudget } from '../common/read-budget.ts';
import { COPIES, messagesKey } from './keys.ts';

export type TlMessage = TlJson<tl.RawMessage> | TlJson<tl.RawMessageService>;

/** A message as it is stored in a box: what TL shows of it, and where its other copies are. */
export interface StoredMessage {
  message: TlMessage;
  /** In a private chat: the id of the other side's copy. */
  twin?: number;
  /** In a basic group: the set of its copies. */
  copies?: number;
  /** The thread of its conversation it belongs to. */
  thread?: Thread;
  /** In a channel: its author, if readers see only the channel as the author. */
  authorId?: number;
  /** In a channel: the members it mentions. */
  mentions?: number[];
  /** The invoice it shows; a forwarded copy shows the same one. */
  invoiceId?: string;
  /** In the box of an account: its ordinary video was watched. */
  watched?: true;
  /** The `pts` of its box when the message arrived; absent if an earlier release or a reset put it there. */
  pts?: number;
}

/** A message found in a box, with its stored text. A commit that changes the message checks that this text is unchanged. */
export interface FoundMessage extends StoredMessage {
  raw: string;
}

/** A read of this many messages may be much larger than other calls' reads, which would wait behind it. */
export const LARGE = 30;

/** Longer texts are parsed in slices, so that other calls run in between. */
export const PARSED_AT_ONCE = 8 * 1024;

/**
 * The messages of these ids in a box, in one read; null for those that do not exist. With a budget, the first message that exceeds it and
 * all after it are null too; `left` is then negative.
 */
export async function findMessages(
  call: CallContext,
  box: Box,
  ids: readonly (number | string)[],
  budget: ReadBudget = { left: Number.POSITIVE_INFINITY },
): Promise<(FoundMessage | null)[]> {
  if (ids.length === 0) return [];
  const read = () => call.tx.read.hmget(call.tx.key(messagesKey(box)), ...ids.map(String));
  const found = await (ids.length < LARGE ? read() : largeReads.run(call.workspaceId, read));
  const messages: (FoundMessage | null)[] = [];
  let parsed = 0;
  for (const raw of found) {
    const length = raw?.length ?? 0;
    budget.left -= length;
    call.tx.charactersRead += length;
    parsed += length;
    if (parsed > PARSED_AT_ONCE) {
      await readingSlices.next(call.workspaceId);
      parsed = length;
    }
    messages.push(raw !== null && budget.left >= 0 ? parse(raw) : null);
  }
  return messages;
}

function parse(raw: string): FoundMessage {
  const found = JSON.parse(raw) as FoundMessage;
  found.raw = raw;
  return found;
}

/** Replaces a message; the commit fails if it has changed since it was found. */
export function replaceMessage(call: CallContext, box: Box, found: FoundMessage, message: TlMessage): void {
  const { raw, ...stored } = found;
  call.tx.expectField(messagesKey(box), message.id, raw);
  call.tx.hset(messagesKey(box), message.id, {
    ...stored,
    message,
  } satisfies StoredMessage);
}

/** Ids of the copies of each of these messages from the calling account's box, or another user's, by box. */
export async function findCopies(
  call: CallContext,
  messages: readonly StoredMessage[],
  userId = call.account.userId,
): Promise<Record<Box, number>[]> {
  const { tx } = call;
  return Promise.all(
    messages.map(async (one) => {
      if (one.copies === undefined) return listPrivateCopies(one, userId);
      const raw = await tx.read.hget(tx.key(COPIES), String(one.copies));
      return (raw === null ? {} : JSON.parse(raw)) as Record<Box, number>;
    }),
  );
}

/** Ids of the copies of a private message from a user's box, by box, the sender's first. */
export function listPrivateCopies({ message, twin }: StoredMessage, userId: number): Record<UserBox, number> {
  const own = { [userBox(userId)]: message.id };
  if (twin === undefined || message.peerId._ !== 'peerUser') return own;
  const other = { [userBox(message.peerId.userId)]: twin };
  return message.out ? { ...own, ...other } : { ...other, ...own };
}
