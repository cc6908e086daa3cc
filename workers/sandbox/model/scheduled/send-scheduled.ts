import type { Update } from '../../../../src/tl/tl-json.ts';
import { type CallContext, MessengerError } from '../../../driver.ts';
import type { ChannelPost } from '../messages/channel-forwards.ts';
import { charactersToCount, countForwards, postOf } from '../messages/forwards.ts';
import type { MessageDraft, Posted } from '../messages/post.ts';
import { postMessage } from '../messages/post-message.ts';
import { findReply, type ReplyTarget } from '../messages/replies.ts';
import { withPresentPoll } from '../messages/show-polls.ts';
import type { Peer } from '../peers/peer.ts';
import { resolvePeer } from '../peers/resolve-peer.ts';
import { pollOriginOf, savePoll, startPoll, toPollMedia } from '../polls/input-poll-media.ts';
import {
  type FoundScheduled,
  findScheduled,
  notifyOfUnscheduled,
  removeScheduled,
} from './scheduled-messages.ts';

// The writes of a message: so many for each recipient, and so many besides.
const WRITES_EACH = 4;
const WRITES_ONCE = 30;
const CHANNEL_READERS = 90;
const CHARACTERS_MAX = 700_000;
// What counting forwards leaves of the commit for the updates that follow.
const CHARACTERS_RESERVED = 150_000;
const SENT_AT_ONCE = 16;

/** A scheduled message as it was sent. */
export interface SentScheduled {
  scheduledId: number;
  posted: Posted;
}

/** The first of the account's scheduled messages with these fields, as many as one commit can send. */
export async function findSendable(call: CallContext, fields: readonly string[]): Promise<FoundScheduled[]> {
  const found = await findScheduled(call, fields.slice(0, SENT_AT_ONCE), { left: CHARACTERS_MAX });
  return found.filter((record) => record !== null);
}

/**
 * Sends scheduled messages of one conversation, as many as fit one commit, and notifies the account. A message may be refused by now, for
 * example because the account has left. If the messages are due, it is deleted; if they are sent early, the refusal is thrown, and all of
 * them stay. A forward is not counted if its post has grown so long that the commit has no room for it.
 */
export async function sendScheduled(
  call: CallContext,
  records: readonly FoundScheduled[],
  { areDue }: { areDue: boolean },
): Promise<{ peer: Peer | null; sent: SentScheduled[]; update: Update | null }> {
  const [first] = records;
  if (!first) return { peer: null, sent: [], update: null };
  const key = first.field.slice(0, first.field.indexOf(':')) as Peer['key'];
  const peer = await orNull(resolvePeer(call, first.peer));
  const sent: SentScheduled[] = [];
  const posts: (ChannelPost | null)[] = [];
  const lost: FoundScheduled[] = [];
  for (const record of await takeFitting(call, peer, records)) {
    const posting = peer && sendOne(call, peer, record);
    const posted = posting && (await (areDue ? orNull(posting) : posting));
    if (posted) {
      sent.push({ scheduledId: record.message.id, posted });
      posts.push(postBehind(record));
    } else lost.push(record);
  }
  const ids = new Set(sent.map(({ scheduledId }) => scheduledId));
  const gone = records.filter((record) => ids.has(record.message.id) || lost.includes(record));
  await removeScheduled(
    call,
    gone.map(({ field }) => field),
  );
  if (lost.length > 0) {
    notifyOfUnscheduled(
      call,
      key,
      lost.map(({ message }) => message.id),
    );
  }
  const newIds = sent.map(({ posted }) => posted.message.id);
  // All together: several may be forwards of one post.
  if (peer) await countForwards(call, posts, { to: peer, copies: newIds, reserved: CHARACTERS_RESERVED });
  const update = sent.length > 0 ? notifyOfUnscheduled(call, key, [...ids], newIds) : null;
  return { peer, sent, update };
}

// The post that is forwarded; null if none is.
function postBehind({ message }: FoundScheduled): ChannelPost | null {
  return message.fwdFrom ? postOf(message) : null;
}

async function takeFitting(
  call: CallContext,
  peer: Peer | null,
  records: readonly FoundScheduled[],
): Promise<FoundScheduled[]> {
  const copies =
    peer?.kind === 'chat' ? peer.chat.members.length : peer?.kind === 'channel' ? CHANNEL_READERS : 2;
  let { writesLeft } = call.tx;
  let characters = 0;
  const fitting: FoundScheduled[] = [];
  for (const record of records) {
    writesLeft -= WRITES_EACH * copies + WRITES_ONCE;
    characters += record.raw.length * 2 * (copies + 1);
    // The first is sent in any case, so a single one need not be measured.
    if (records.length > 1) characters += await charactersToCount(call, postBehind(record));
    if (fitting.length > 0 && (writesLeft < 0 || characters > CHARACTERS_MAX)) break;
    fitting.push(record);
  }
  return fitting;
}

async function sendOne(call: CallContext, peer: Peer, record: FoundScheduled): Promise<Posted> {
  const { message, mentions, replyTo, invoiceId } = record;
  const {
    id: _,
    peerId: __,
    date: ___,
    out: ____,
    post: _____,
    fromId: ______,
    replyTo: _______,
    ...content
  } = message;
  const poll = record.poll && startPoll(record.poll, call.date);
  const draft: MessageDraft = {
    ...content,
    ...(poll ? { media: toPollMedia(poll) } : {}),
    fromScheduled: true,
  };
  const reply =
    replyTo &&
    ((await orNull<ReplyTarget | undefined>(findReply(call, peer, replyTo))) ??
      (await findReply(call, peer, placeOf(record))));
  const shown = poll ? draft : await withPresentPoll(call, draft);
  // A message that replies goes to the thread of the message it replies to.
  const thread = reply ? reply.thread : record.thread;
  const options = {
    mentions: new Set(mentions),
    reply,
    invoiceId,
    ...(thread === undefined ? {} : { thread }),
  };
  const posted = await postMessage(call, peer, shown, options);
  if (poll) savePoll(call, poll, pollOriginOf(peer, posted.message.id, thread));
  return posted;
}

// Where to send a message if the one it replies to is gone: its topic, without which it cannot be sent, or its thread of a monoforum.
function placeOf({ message, replyTo }: FoundScheduled): FoundScheduled['replyTo'] {
  if (replyTo?._ === 'inputReplyToMessage' && replyTo.monoforumPeerId)
    return { _: 'inputReplyToMonoForum', monoforumPeerId: replyTo.monoforumPeerId };
  const header = message.replyTo?._ === 'messageReplyHeader' ? message.replyTo : undefined;
  const topicId = header?.replyToTopId ?? header?.replyToMsgId;
  if (!header?.forumTopic || topicId === undefined) return undefined;
  return { _: 'inputReplyToMessage', replyToMsgId: topicId, topMsgId: topicId };
}

async function orNull<T>(result: Promise<T>): Promise<T | null> {
  try {
    return await result;
  } catch (error) {
    if (error instanceof MessengerError) return null;
    throw error;
  }
}
