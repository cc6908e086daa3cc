import type { tl } from '@mtcute/core';
import type { TlJson, Update } from '../../../../src/tl/tl-json.ts';
import { type CallContext, MessengerError } from '../../../driver.ts';
import { isSelfDestructing, startsUnread } from '../boxes/media.ts';
import { type FoundMessage, findMessages, replaceMessage, type TlMessage } from '../boxes/messages.ts';
import { notifyChannels } from '../chats/notify-channel.ts';
import { charactersLeft } from '../common/commit-size.ts';
import { groupBy } from '../common/group-by.ts';
import { channelBox } from '../common/keys.ts';
import { pageBudget, type ReadBudget } from '../common/read-budget.ts';
import { randomLong } from '../files/documents.ts';
import { withoutReceipt } from '../payments/invoices.ts';
import { boxOf, type Peer } from '../peers/peer.ts';
import { refuseProtected } from '../peers/refuse-protected.ts';
import { toTlPeer } from '../peers/tl-peer.ts';
import { viewsKey } from '../reactions/keys.ts';
import { addViews } from '../reactions/post-counts.ts';
import { addForward, type ChannelPost } from './channel-forwards.ts';
import { isShownIn } from './get-message.ts';
import { forwarderOf, originOf } from './origins.ts';
import type { MessageDraft } from './post.ts';

type Message = TlJson<tl.RawMessage>;
type Header = TlJson<tl.RawMessageFwdHeader>;

// An invoice is paid wherever it is shown.
const WITHOUT_BOT: ReadonlySet<string> = new Set([
  'keyboardButtonUrl',
  'keyboardButtonUrlAuth',
  'keyboardButtonBuy',
]);

// The posts to count: many large ones would block Redis.
const READ_AT_ONCE = 10;
// The commit checks that a post is unchanged, and has it as it becomes.
const TIMES_IN_COMMIT = 2;

/** A message that is to be forwarded, as it was found. */
export interface Forwarded extends FoundMessage {
  message: Message;
}

/** What to leave out of forwarded messages. */
export interface ForwardOptions {
  dropAuthor: boolean;
  dropMediaCaptions: boolean;
  isToOwnChat: boolean;
  /** The names of authors and forwarders who do not let forwards link to them, by user id. */
  hiddenNames: ReadonlyMap<number, string>;
  /** The new ids of albums, by the ids they have where the messages are from. */
  albums: ReadonlyMap<string, string>;
}

/**
 * The messages of a conversation to forward, in the given order. Errors: `MESSAGE_ID_INVALID` if one does not exist or is a service
 * message, `CHAT_FORWARDS_RESTRICTED` if one is protected, `MESSAGE_TOO_LONG` for more than 4 MiB, which no commit takes.
 */
export async function findForwarded(
  call: CallContext,
  from: Peer,
  ids: readonly number[],
): Promise<Forwarded[]> {
  refuseProtected(call, from);
  const budget = pageBudget();
  const [found, views] = await Promise.all([
    findMessages(call, boxOf(call, from), ids, budget),
    from.kind === 'channel' ? call.tx.read.hmget(call.tx.key(viewsKey(from.id)), ...ids.map(String)) : [],
  ]);
  if (budget.left < 0) throw new MessengerError('MESSAGE_TOO_LONG');
  return found.map((one, i) => {
    if (!one || !isShownIn(call, from, one) || one.message._ !== 'message')
      throw new MessengerError('MESSAGE_ID_INVALID');
    if (one.message.noforwards || (one.message.media && isSelfDestructing(one.message.media)))
      throw new MessengerError('CHAT_FORWARDS_RESTRICTED');
    return { ...one, message: addViews(one.message, Number(views[i] ?? 0)) };
  });
}

/** New ids for the albums of which several messages are forwarded; a single one is no album any more. */
export function regroup(messages: readonly Forwarded[]): Map<string, string> {
  const groups = groupBy(messages, ({ message }) => message.groupedId);
  return new Map(
    [...groups].flatMap(([id, { length }]) => (id !== undefined && length > 1 ? [[id, randomLong()]] : [])),
  );
}

/** The content of the forwarded message. */
export function toForwardDraft(from: Peer, message: Message, options: ForwardOptions): MessageDraft {
  const { media, entities, views, forwards = 0, richMessage, replyMarkup, invertMedia } = message;
  const captionGone = options.dropMediaCaptions && media !== undefined;
  const groupedId = options.albums.get(message.groupedId ?? '');
  return {
    _: 'message',
    message: captionGone ? '' : message.message,
    ...(media ? { media: withoutReceipt(media) } : {}),
    ...(invertMedia ? { invertMedia } : {}),
    ...(media && startsUnread(media) && !options.isToOwnChat ? { mediaUnread: true } : {}),
    ...(entities && !captionGone ? { entities } : {}),
    ...(groupedId === undefined ? {} : { groupedId }),
    ...(richMessage ? { richMessage } : {}),
    ...keyboardOf(replyMarkup),
    ...headerOf(from, message, options),
    ...(views === undefined || options.dropAuthor ? {} : { views, forwards }),
  };
}

// Only the bot that has sent a message hears of its buttons, so a keyboard goes along if it needs no bot.
function keyboardOf(markup: Message['replyMarkup']): Pick<Message, 'replyMarkup'> {
  if (markup?._ !== 'replyInlineMarkup') return {};
  const needsBot = markup.rows.some(({ buttons }) => buttons.some(({ _ }) => !WITHOUT_BOT.has(_)));
  return needsBot ? {} : { replyMarkup: markup };
}

function headerOf(from: Peer, message: Message, options: ForwardOptions): Partial<Message> {
  if (options.dropAuthor) return {};
  const fwdFrom: Header = {
    ...originOf(message, options.hiddenNames),
    ...(options.isToOwnChat ? savedFrom(from, message, options.hiddenNames) : {}),
  };
  return { fwdFrom, ...(options.isToOwnChat ? { savedPeerId: toTlPeer(from) } : {}) };
}

function savedFrom(
  from: Peer,
  message: Message,
  hiddenNames: ForwardOptions['hiddenNames'],
): Partial<Header> {
  return {
    savedFromPeer: toTlPeer(from),
    savedFromMsgId: message.id,
    ...(message.out ? { savedOut: true } : {}),
    ...forwarderOf(message, hiddenNames),
  };
}

/** The channel's post that a message is, or that it was forwarded from. */
export function postOf({ fwdFrom, post, peerId, id }: TlMessage & Partial<Message>): ChannelPost | null {
  if (fwdFrom) {
    const { fromId, channelPost } = fwdFrom;
    const isPost = fromId?._ === 'peerChannel' && channelPost !== undefined;
    return isPost ? { channelId: fromId.channelId, msgId: channelPost } : null;
  }
  return post && peerId._ === 'peerChannel' ? { channelId: peerId.channelId, msgId: id } : null;
}

/** A post that was forwarded, with the ids of the new messages. */
interface ForwardedPost {
  post: ChannelPost;
  copyIds: number[];
}

/** Where posts were forwarded to. */
interface Forwarding {
  to: Peer;
  /** The ids of the new messages. */
  copies: readonly number[];
  /** How many characters of the commit are left to what comes besides. */
  reserved?: number;
}

/** How many characters of a commit it takes to count a forward of a post. */
export async function charactersToCount(call: CallContext, post: ChannelPost | null): Promise<number> {
  const [found] = post ? await findMessages(call, channelBox(post.channelId), [post.msgId]) : [];
  return found ? TIMES_IN_COMMIT * found.raw.length : 0;
}

/**
 * Counts every forward of each post, and records forwards to a channel. The members of the posts' channels are notified, with more
 * than 4,000 notices only of the first posts. Returns false if the commit has no room for all posts, which may have grown; those beyond it
 * are not counted.
 */
export async function countForwards(
  call: CallContext,
  posts: readonly (ChannelPost | null)[],
  { to, copies, reserved = 0 }: Forwarding,
): Promise<boolean> {
  const forwarded = groupCopies(posts, copies);
  // A channel may become public later; a monoforum does not.
  const mayBePublic = to.kind === 'channel' && to.channel.kind !== 'monoforum';
  const budget = { left: Math.floor((charactersLeft(call) - reserved) / TIMES_IN_COMMIT) };
  const notices: { channelId: number; update: Update }[] = [];
  for (let at = 0; at < forwarded.length && budget.left >= 0; at += READ_AT_ONCE) {
    const byChannel = groupBy(forwarded.slice(at, at + READ_AT_ONCE), ({ post }) => post.channelId);
    const counted = await Promise.all(
      [...byChannel].map(([channelId, ofChannel]) => raiseCounters(call, channelId, ofChannel, budget)),
    );
    for (const { post, copyIds, update } of counted.flat()) {
      notices.push({ channelId: post.channelId, update });
      if (!mayBePublic || to.id === post.channelId) continue;
      for (const msgId of copyIds) addForward(call, post, { channelId: to.id, msgId });
    }
  }
  await notifyChannels(call, notices);
  return budget.left >= 0;
}

function groupCopies(
  posts: readonly (ChannelPost | null)[],
  copies: readonly number[],
): readonly ForwardedPost[] {
  const forwarded = new Map<string, ForwardedPost>();
  for (const [i, post] of posts.entries()) {
    if (!post) continue;
    const key = `${post.channelId}:${post.msgId}`;
    const known = forwarded.get(key) ?? { post, copyIds: [] };
    known.copyIds.push(copies[i] as number);
    forwarded.set(key, known);
  }
  return [...forwarded.values()];
}

// A post that is gone has copies still, but nothing is kept of it.
async function raiseCounters(
  call: CallContext,
  channelId: number,
  forwarded: readonly ForwardedPost[],
  budget: ReadBudget,
): Promise<(ForwardedPost & { update: Update })[]> {
  const box = channelBox(channelId);
  const ids = forwarded.map(({ post }) => post.msgId);
  const posts = await findMessages(call, box, ids, budget);
  return forwarded.flatMap((one, i) => {
    const found = posts[i];
    if (found?.message._ !== 'message') return [];
    const forwards = (found.message.forwards ?? 0) + one.copyIds.length;
    replaceMessage(call, box, found, { ...found.message, forwards });
    const id = one.post.msgId;
    return [{ ...one, update: { _: 'updateChannelMessageForwards', channelId, id, forwards } as const }];
  });
}
