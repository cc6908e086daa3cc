import { untilSent } from '../../../../src/state/batch-reads.ts';
import type { CallContext } from '../../../driver.ts';
import { COPIES, historyKey, messagesKey } from '../boxes/keys.ts';
import { mediaOf, showsUnread } from '../boxes/media.ts';
import {
  type FoundMessage,
  findCopies,
  findMessages,
  type StoredMessage,
  type TlMessage,
} from '../boxes/messages.ts';
import { fitsCommit } from '../common/commit-size.ts';
import { readLimit } from '../common/history-window.ts';
import { type Box, SEQ, userBox } from '../common/keys.ts';
import type { ReadBudget } from '../common/read-budget.ts';
import { pinnedKey } from '../conversations/keys.ts';
import { countUnread } from '../conversations/unread-state.ts';
import { withoutReceipt } from '../payments/invoices.ts';
import type { Peer } from '../peers/peer.ts';
import { targetOf, type UserRecord } from '../people/users.ts';
import { type ViewedPoll, viewPollFor } from '../polls/polls.ts';
import {
  type MessageReactions,
  reactionTarget,
  readReactions,
  viewReactions,
} from '../reactions/reactions.ts';
import { pollOf, withPoll } from './show-polls.ts';

// The writes of a copy: the message, its entry in the history, the set of copies, its pin.
const WRITES_EACH = 4;
const BYTES_MAX = 300_000;
// What is looked through, some at a time: most of it may be too long.
const CHARACTERS_MAX = 1024 * 1024;
const AT_ONCE = 10;
// A call that has had this many conflicts adds all the same where the account gets messages all the time. The new member may then lack one.
const CONFLICTS_MAX = 2;

/**
 * Gives a new member of a basic group copies of its last `limit` messages, as many as fit one commit with `reserved` other writes, without
 * those that are too long for one more copy. Copies that it already has from an earlier membership are not changed. The commit fails if a
 * message is edited meanwhile, or the account gets one.
 */
export async function shareHistory(
  call: CallContext,
  peer: Extract<Peer, { kind: 'chat' }>,
  newcomer: UserRecord,
  { limit, reserved }: { limit: number; reserved: number },
): Promise<void> {
  const fitting = Math.floor((call.tx.writesLeft - reserved) / WRITES_EACH);
  const count = Math.min(readLimit(limit), Math.max(0, fitting));
  if (count === 0) return;
  const own = userBox(call.account.userId);
  const newest = await observeNewest(call, peer, count);
  const found = (await readMessages(call, own, newest)).filter((one) => !isCleared(one));
  const copies = await findCopies(call, found);
  const box = userBox(newcomer.id);
  const fit = found.map((one, i) => ({ one, ids: copies[i] ?? {} })).filter(maySpread);
  const shared = withinBytes(fit).filter(({ ids }) => ids[box] === undefined);
  const views = shared.map(async (one) => ({
    ...one,
    reactions: await reactionsFor(call, peer, newcomer, one),
    poll: await pollFor(call, newcomer, one),
  }));
  giveCopies(call, peer, newcomer, (await Promise.all(views)).reverse());
}

// A message that is sent meanwhile goes only to the members before. So the list is read after the counter that each message raises.
async function observeNewest(call: CallContext, { key }: Peer, count: number): Promise<string[]> {
  const { tx, account, conflicts } = call;
  const name = tx.key(historyKey(account.userId, key));
  const counting = conflicts < CONFLICTS_MAX && tx.observe(SEQ, `msg:${userBox(account.userId)}`);
  const listing = untilSent().then(() => tx.read.zrevrange(name, 0, count - 1));
  const [newest] = await Promise.all([listing, counting]);
  return newest;
}

async function readMessages(call: CallContext, box: Box, ids: readonly string[]): Promise<FoundMessage[]> {
  const budget: ReadBudget = { left: CHARACTERS_MAX };
  const found: FoundMessage[] = [];
  for (let at = 0; at < ids.length && budget.left > 0; at += AT_ONCE) {
    const some = await findMessages(call, box, ids.slice(at, at + AT_ONCE), budget);
    found.push(...some.filter((one) => one !== null));
  }
  return found;
}

// Only the account itself has cleared its history.
function isCleared({ message }: FoundMessage): boolean {
  return message._ === 'messageService' && message.action._ === 'messageActionHistoryClear';
}

interface Shared {
  one: FoundMessage;
  /** Ids of the copies there are, by box. */
  ids: Record<string, number>;
}

interface SharedView extends Shared {
  /** The reactions, and the poll, as the new member sees them; null or undefined for none. */
  reactions: MessageReactions | null;
  poll: ViewedPoll | undefined;
}

async function reactionsFor(
  call: CallContext,
  peer: Peer,
  newcomer: UserRecord,
  { one }: Shared,
): Promise<MessageReactions | null> {
  if (one.message.reactions === undefined) return null;
  const all = await readReactions(call, reactionTarget(call, peer, one));
  return all.size === 0 ? null : viewReactions(all, newcomer.id, { isPost: false });
}

async function pollFor(
  call: CallContext,
  newcomer: UserRecord,
  { one }: Shared,
): Promise<ViewedPoll | undefined> {
  const media = pollOf(one.message);
  return media ? (await viewPollFor(call, media.poll.id, [newcomer.id]))?.[0] : undefined;
}

// One commit must still be able to change all copies of a message when it is reacted to or pinned.
function maySpread({ one, ids }: Shared): boolean {
  return fitsCommit(one.raw.length, 2 * (Object.keys(ids).length + 1));
}

function withinBytes(shared: Shared[]): Shared[] {
  let bytes = 0;
  return shared.filter(({ one }) => {
    bytes += one.raw.length * 2;
    return bytes <= BYTES_MAX;
  });
}

// From the oldest on, so that the ids grow with the dates.
function giveCopies(
  call: CallContext,
  { key }: Extract<Peer, { kind: 'chat' }>,
  newcomer: UserRecord,
  shared: SharedView[],
): void {
  const { tx } = call;
  const box = userBox(newcomer.id);
  const own = messagesKey(userBox(call.account.userId));
  const given = new Map<number, number>();
  for (const { one, ids, reactions, poll } of shared) {
    const id = tx.allocate(SEQ, `msg:${box}`);
    given.set(one.message.id, id);
    tx.expectField(own, one.message.id, one.raw);
    const message = { ...copyOf(one.message, id, given), ...(reactions ? { reactions } : {}) } as TlMessage;
    const { raw: _, watched: __, ...stored } = one;
    const pts = tx.allocate(SEQ, `pts:${box}`);
    tx.hset(messagesKey(box), id, { ...stored, message, pts } satisfies StoredMessage);
    tx.zadd(historyKey(newcomer.id, key), id, id);
    if (message._ === 'message' && message.pinned) tx.zadd(pinnedKey(newcomer.id, key), id, id);
    if (one.copies !== undefined) {
      tx.expectField(COPIES, one.copies, JSON.stringify(ids));
      tx.hset(COPIES, one.copies, { ...ids, [box]: id });
    }
    const shown = withPoll(message, poll);
    tx.update(targetOf(newcomer), { _: 'updateNewMessage', message: shown, pts, ptsCount: 1 });
  }
  if (shared.length > 0) countUnread(call, newcomer.id, { key }, shared.length);
}

function copyOf(message: TlMessage, id: number, given: ReadonlyMap<number, number>): TlMessage {
  const { out: _, mentioned: __, mediaUnread: ___, reactions: ____, replyTo, ...content } = message;
  const header = headerFor(replyTo, given);
  const media = mediaOf(message);
  return {
    ...content,
    id,
    ...(media ? { media: withoutReceipt(media) } : {}),
    ...(showsUnread(message) ? { mediaUnread: true } : {}),
    ...(header === undefined ? {} : { replyTo: header }),
  } as TlMessage;
}

// The newcomer knows a replied-to message only if it has got a copy of that too. Replies to other conversations are shown as to everybody.
function headerFor(replyTo: TlMessage['replyTo'], given: ReadonlyMap<number, number>): TlMessage['replyTo'] {
  if (replyTo?._ !== 'messageReplyHeader') return undefined;
  const { replyToMsgId, replyToPeerId, ...content } = replyTo;
  if (replyToPeerId?._ === 'peerChannel') return replyTo;
  if (replyToPeerId !== undefined || replyToMsgId === undefined) return content;
  const answered = given.get(replyToMsgId);
  return answered === undefined ? undefined : { ...content, replyToMsgId: answered };
}
