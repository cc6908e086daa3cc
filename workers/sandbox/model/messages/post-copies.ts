import type { Update } from '../../../../src/tl/tl-json.ts';
import { withMembers } from '../../../../src/with-members.ts';
import type { CallContext } from '../../../driver.ts';
import { COPIES, historyKey, messagesKey } from '../boxes/keys.ts';
import type { StoredMessage, TlMessage } from '../boxes/messages.ts';
import { CHATS } from '../chats/keys.ts';
import { countedWith } from '../common/burst.ts';
import { refuseLargeCopies } from '../common/commit-size.ts';
import { type PeerKey, SEQ, type Thread, userBox } from '../common/keys.ts';
import { dialogsKey, mentionsKey, threadsKey } from '../conversations/keys.ts';
import { recordSent } from '../conversations/sent-messages.ts';
import { countUnread } from '../conversations/unread-state.ts';
import type { Peer } from '../peers/peer.ts';
import { peerKeyOf, toTlPeer } from '../peers/tl-peer.ts';
import { findUsers, targetOf, type UserRecord } from '../people/users.ts';
import { isMentioned, type MessageDraft, type Posted, type PostOptions } from './post.ts';
import { refuseRecipient, refuseRestricted, restrictionsIn } from './refuse-restricted.ts';
import { replyHeaderIn } from './replies.ts';

type CopiedPeer = Exclude<Peer, { kind: 'channel' }>;
type Owner = Pick<UserRecord, 'id' | 'accountId'>;

/** Posts to a private chat or basic group: each member gets its own copy with its own id. */
export async function postCopies(
  call: CallContext,
  peer: CopiedPeer,
  draft: MessageDraft,
  options: PostOptions,
): Promise<Posted> {
  const { tx, account } = call;
  refuseRestricted(call, draft, restrictionsIn(call, peer));
  const isToOther = peer.kind === 'user' && peer.id !== account.userId;
  const checking = isToOther ? refuseRecipient(call, peer) : undefined;
  if (checking !== undefined) await checking;
  const others = peer.kind === 'chat' ? await findOthers(call, peer) : isToOther ? [peer.user] : [];
  refuseLargeCopies(draft, others.length + 1, options.reply?.header);
  const owners: Owner[] = [{ id: account.userId, accountId: account.id }, ...others];
  const ids = owners.map(({ id }) => tx.allocate(SEQ, `msg:${userBox(id)}`));
  const copies = peer.kind === 'chat' ? keepCopies(call, owners, ids) : undefined;
  const [posted] = owners.map((owner, i) => {
    const id = ids[i] as number;
    const stored: StoredMessage = { message: copyFor(call, owner, id, peer, draft, options) };
    if (copies !== undefined) stored.copies = copies;
    else if (owners.length > 1) stored.twin = ids[1 - i] as number;
    else stored.thread = threadOf(peer, stored.message, options);
    if (options.invoiceId !== undefined) stored.invoiceId = options.invoiceId;
    return deliver(call, owner, stored, countedWith(options.burst));
  }) as [Posted];
  return posted;
}

function keepCopies({ tx }: CallContext, owners: Owner[], ids: number[]): number {
  const copies = tx.allocate(SEQ, 'copies');
  tx.hset(COPIES, copies, Object.fromEntries(owners.map(({ id }, i) => [userBox(id), ids[i]])));
  return copies;
}

async function findOthers(call: CallContext, peer: Extract<Peer, { kind: 'chat' }>): Promise<UserRecord[]> {
  const self = call.account.userId;
  // The members decide who gets a copy, so the commit fails if they change meanwhile.
  if (peer.raw !== undefined) call.tx.expectField(CHATS, peer.id, peer.raw);
  const others = peer.chat.members.map(({ userId }) => userId).filter((userId) => userId !== self);
  const found = await findUsers(call, others);
  return found.filter((user): user is UserRecord => user !== null && !user.deleted);
}

function copyFor(
  call: CallContext,
  owner: Owner,
  id: number,
  peer: CopiedPeer,
  draft: MessageDraft,
  options: PostOptions,
): TlMessage {
  const { reply, toOthers = draft } = options;
  const self = call.account.userId;
  const out = owner.id === self;
  const isOwnChat = peer.kind === 'user' && peer.id === self;
  const mentioned = !out && peer.kind === 'chat' && isMentioned(owner.id, draft, options);
  const peerId = toTlPeer(peer.kind === 'user' && !out ? { kind: 'user', id: self } : peer);
  const message = { fromId: { _: 'peerUser', userId: self } } as TlMessage;
  if (isOwnChat) message.savedPeerId = peerId;
  Object.assign(message, out ? draft : toOthers);
  // Notes to oneself go nowhere.
  if (out && !isOwnChat) message.out = true;
  if (mentioned) Object.assign(message, { mentioned, mediaUnread: true });
  if (reply) Object.assign(message, replyHeaderIn(userBox(owner.id), reply));
  return Object.assign(message, { id, peerId, date: call.date });
}

// Only an account's own chat has threads: the messages saved from each peer.
function threadOf(peer: CopiedPeer, { savedPeerId }: TlMessage, { thread }: PostOptions): Thread {
  return thread ?? (savedPeerId ? peerKeyOf(savedPeerId) : peer.key);
}

function deliver(call: CallContext, owner: Owner, stored: StoredMessage, counted: number): Posted {
  const { tx, date } = call;
  const { message, thread } = stored;
  const { id } = message;
  const box = userBox(owner.id);
  const key: PeerKey = peerKeyOf(message.peerId);
  const pts = tx.allocate(SEQ, `pts:${box}`);
  const shared = tx.share(message);
  tx.hset(messagesKey(box), id, withMembers(stored, { message: shared, pts }));
  tx.zadd(historyKey(owner.id, key), id, id);
  if (thread !== undefined) tx.zadd(historyKey(owner.id, key, thread), id, id);
  if (counted > 0) {
    tx.zadd(dialogsKey(owner.id), date, key);
    if (thread !== undefined) tx.zadd(threadsKey(box, key), date, thread);
    // Messages in an account's own chat never count as unread.
    if (message.out) recordSent(call, { key }, id, counted);
    else if (key !== box) countUnread(call, owner.id, { key }, counted);
  }
  if (message.mentioned) tx.zadd(mentionsKey(owner.id, key), id, id);
  const update: Update = { _: 'updateNewMessage', message: shared, pts, ptsCount: 1 };
  tx.update(targetOf(owner), update);
  return { message, pts, twin: stored.twin };
}
