import type { MethodParams } from '../../../../src/tl/tl-json.ts';
import { type CallContext, defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { peerChannel } from '../../examples/input-peers.ts';
import { messagesKey } from '../../model/boxes/keys.ts';
import type { FoundMessage, TlMessage } from '../../model/boxes/messages.ts';
import { peersOf } from '../../model/boxes/named-peers.ts';
import { expectOwnRights } from '../../model/chats/channel-members.ts';
import { isForbidden } from '../../model/chats/rights.ts';
import { dayOf } from '../../model/common/days.ts';
import { SEQ } from '../../model/common/keys.ts';
import { listMessageReaders } from '../../model/conversations/message-readers.ts';
import { getMessage } from '../../model/messages/get-message.ts';
import { viewWithoutReactions } from '../../model/messages/read-messages.ts';
import { restrictionsIn } from '../../model/messages/refuse-restricted.ts';
import { showPolls } from '../../model/messages/show-polls.ts';
import { listMentioned } from '../../model/peers/mentioned.ts';
import { boxOf, type Peer } from '../../model/peers/peer.ts';
import { resolvePeer } from '../../model/peers/resolve-peer.ts';
import { toTlPeer } from '../../model/peers/tl-peer.ts';
import { emotionOf, toPlainEmoji } from '../../model/reactions/emotions.ts';
import { reactedKey, reactionDaysKey, reactionsKey, TURN } from '../../model/reactions/keys.ts';
import { notifyOfReactions } from '../../model/reactions/notify-of-reactions.ts';
import {
  type GivenReactions,
  type MessageReactions,
  observePostReactions,
  partOf,
  reactionTarget,
  readReactions,
  viewReactions,
} from '../../model/reactions/reactions.ts';

type Given = NonNullable<MethodParams<'messages.sendReaction'>['reaction']>;

// How many reactions an account without Premium gives a message, and how many distinct ones a message has. Source:
// core.telegram.org/api/config.
const REACTIONS_MAX = 1;
const UNIQUE_MAX = 11;
// How many users react to a message. More than a conversation has members, because some of them have left it since.
const REACTORS_MAX = 300;

/**
 * Adds, changes or (with no reaction) removes the account's reaction to a message, and notifies everybody who has the message. Errors:
 * `CHAT_WRITE_FORBIDDEN`, `USER_BANNED_IN_CHANNEL`, `MESSAGE_ID_INVALID`, `MESSAGE_NOT_MODIFIED`, `REACTIONS_TOO_MANY`,
 * `REACTION_INVALID`, `PREMIUM_ACCOUNT_REQUIRED`.
 */
export const sendReaction = defineMethod('messages.sendReaction', async (params, call) => {
  const { msgId, big = false } = params;
  const reactions = toReactions(params.reaction ?? []);
  const peer = await resolvePeer(call, params.peer);
  requireReactionRight(call, peer);
  const found = await getMessage(call, peer, msgId);
  if (found.message._ !== 'message') throw new MessengerError('MESSAGE_ID_INVALID');
  const target = reactionTarget(call, peer, found);
  const key = reactionsKey(target);
  const self = call.account.userId;
  const [raw, all, readers] = await Promise.all([
    call.tx.observe(key, self),
    peer.kind === 'channel'
      ? observePostReactions(call, { channelId: peer.id, msgId })
      : readReactions(call, target),
    listMessageReaders(call, peer, found),
  ]);
  const before = raw === null ? null : (JSON.parse(raw) as GivenReactions);
  if (JSON.stringify(before?.reactions ?? []) === JSON.stringify(reactions)) {
    throw new MessengerError('MESSAGE_NOT_MODIFIED');
  }
  all.delete(self);
  const after = reactions.length > 0 ? { reactions, big, date: call.date } : null;
  if (after) {
    all.set(self, after);
    call.tx.hset(key, self, after);
  } else call.tx.hdel(key, self);
  const isPost = found.message.post === true;
  const viewed = viewReactions(all, self, { isPost });
  if (viewed.results.length > UNIQUE_MAX || all.size > REACTORS_MAX)
    throw new MessengerError('REACTIONS_TOO_MANY');
  if (peer.kind === 'channel') {
    // A reaction to a post that is deleted meanwhile would stay behind.
    call.tx.expectField(messagesKey(boxOf(call, peer)), msgId, found.raw);
    countByDay(call, peer, found, before, after);
  }
  // Together: the longer the call reads, the more often another reaction comes before its commit.
  const [message] = await Promise.all([
    viewReacted(call, peer, msgId, viewed),
    notifyOfReactions(call, peer, { found, all, change: { before, after }, readers }),
  ]);
  // A reaction counts in nobody's `pts`: the others get only the reactions.
  const pts = call.tx.allocate(SEQ, `pts:${boxOf(call, peer)}`, 0);
  const kind = peer.kind === 'channel' ? 'updateEditChannelMessage' : 'updateEditMessage';
  return {
    _: 'updates',
    updates: [
      { _: kind, message, pts, ptsCount: 0 },
      { _: 'updateMessageReactions', peer: toTlPeer(peer), msgId, ...partOf(found), reactions: viewed },
    ],
    ...(await listMentioned(call, [{ _: 'peerUser', userId: self }, ...peersOf(message)])),
    date: call.date,
    seq: 0,
  };
});

function requireReactionRight(call: CallContext, peer: Peer): void {
  // A user who only writes to a monoforum is not a member of it.
  if (peer.kind === 'channel' && !peer.member && peer.channel.kind !== 'monoforum')
    throw new MessengerError('CHAT_WRITE_FORBIDDEN');
  if (peer.kind === 'channel') expectOwnRights(call, peer);
  const { ban, defaultBan } = restrictionsIn(call, peer);
  if (isForbidden(ban, 'sendReactions', call.date)) throw new MessengerError('USER_BANNED_IN_CHANNEL');
  if (defaultBan?.sendReactions) throw new MessengerError('CHAT_WRITE_FORBIDDEN');
}

async function viewReacted(
  call: CallContext,
  peer: Peer,
  msgId: number,
  reactions: MessageReactions,
): Promise<TlMessage> {
  const [before = null] = await viewWithoutReactions(call, peer, [msgId]);
  if (!before) throw new MessengerError('MESSAGE_ID_INVALID');
  const { reactions: _, ...message } = before;
  const after = reactions.results.length === 0 ? message : { ...message, reactions };
  const [shown] = await showPolls(call, [after as TlMessage]);
  return shown as TlMessage;
}

// Clients take a reaction away by giving none, or only `reactionEmpty`.
function toReactions(given: Given): GivenReactions['reactions'] {
  if (given.length === 1 && given[0]?._ === 'reactionEmpty') return [];
  if (given.length > REACTIONS_MAX) throw new MessengerError('REACTIONS_TOO_MANY');
  return given.map((reaction) => {
    if (reaction._ === 'reactionCustomEmoji') throw new MessengerError('PREMIUM_ACCOUNT_REQUIRED');
    if (reaction._ !== 'reactionEmoji' || emotionOf(reaction.emoticon) === null) {
      throw new MessengerError('REACTION_INVALID');
    }
    return { _: 'reactionEmoji', emoticon: toPlainEmoji(reaction.emoticon) };
  });
}

// For the statistics of a channel, and for calls that observe the reactions.
function countByDay(
  call: CallContext,
  peer: Peer,
  { message }: FoundMessage,
  before: GivenReactions | null,
  after: GivenReactions | null,
): void {
  const name = reactionDaysKey({ channelId: peer.id, msgId: message.id });
  const count = (given: GivenReactions | null, by: number) => {
    for (const { emoticon } of given?.reactions ?? []) {
      call.tx.hincrby(name, `${dayOf(given?.date ?? 0)}:${emoticon}`, by);
    }
  };
  count(before, -1);
  count(after, 1);
  call.tx.hincrby(name, TURN, 1);
  call.tx.sadd(reactedKey(peer.id), message.id);
}

export const example: Example<'messages.sendReaction'> = async (context) => ({
  peer: await peerChannel(context, 'channelId'),
  msgId: 1,
  reaction: [{ _: 'reactionEmoji', emoticon: '👍' }],
});

export const difference =
  'Nobody has Premium: one reaction for each message, no custom emoji. No reaction is `unread`. Bots are not told of reactions to posts (`updateBotMessageReactions`).';
