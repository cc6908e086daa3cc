import type { MethodParams, Update } from '../../../../src/tl/tl-json.ts';
import { type CallContext, defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { peerUser } from '../../examples/input-peers.ts';
import { readersOf } from '../../model/conversations/channel-readers.ts';
import { threadOfTopic } from '../../model/conversations/topics.ts';
import type { Peer } from '../../model/peers/peer.ts';
import { refuseUnknownPeers } from '../../model/peers/refuse-unknown.ts';
import { requireWriteAccess } from '../../model/peers/require-write-access.ts';
import { resolvePeer } from '../../model/peers/resolve-peer.ts';
import { findBlocks } from '../../model/people/blocks.ts';
import { findUsers, targetOf, type UserRecord } from '../../model/people/users.ts';
import { toStoredEntities } from '../../model/text/entities.ts';
import { toRichContent } from '../../model/text/rich/rich-message.ts';

type Params = MethodParams<'messages.setTyping'>;

// All members of a group receive it.
const ACTION_MAX = 8_000;

/** Tells the others in a conversation what the account is doing. Error: `MESSAGE_TOO_LONG` for more than 8,000 characters. */
export const setTyping = defineMethod('messages.setTyping', async (params, call) => {
  refuseLongAction(params.action);
  const peer = await findPeer(call, params.peer);
  requireWriteAccess(call, peer);
  await refuseUnknownPeers(call, params.action);
  if (peer.kind === 'user') await refuseUnreachable(call, peer);
  const action = await toShown(call, params.action);
  refuseLongAction(action);
  const update = await toUpdate(call, peer, { ...params, action });
  for (const user of await listOthers(call, peer)) call.tx.update(targetOf(user), update);
  return true;
});

function refuseLongAction(action: Params['action']): void {
  if (JSON.stringify(action).length > ACTION_MAX) throw new MessengerError('MESSAGE_TOO_LONG');
}

// Others see the rich content of a draft, not its source, and entities in the form for readers.
async function toShown(call: CallContext, action: Params['action']): Promise<Params['action']> {
  if (action._ === 'sendMessageTextDraftAction') {
    const { text, entities } = action.text;
    return { ...action, text: { ...action.text, entities: await toStoredEntities(call, text, entities) } };
  }
  if (action._ !== 'inputSendMessageRichMessageDraftAction') return action;
  const { richMessage } = await toRichContent(call, action.richMessage);
  return { _: 'sendMessageRichMessageDraftAction', randomId: action.randomId, richMessage };
}

async function findPeer(call: CallContext, input: Params['peer']): Promise<Peer> {
  const peer = await resolvePeer(call, input);
  if (peer.kind === 'user' && peer.user.deleted) throw new MessengerError('INPUT_USER_DEACTIVATED');
  return peer;
}

async function refuseUnreachable(call: CallContext, peer: Extract<Peer, { kind: 'user' }>): Promise<void> {
  if (call.account.bot && peer.user.bot) throw new MessengerError('USER_IS_BOT');
  const { theirs } = peer.blocks ?? (await findBlocks(call, peer.id));
  if (theirs) throw new MessengerError('USER_IS_BLOCKED');
}

async function toUpdate(call: CallContext, peer: Peer, { action, topMsgId }: Params): Promise<Update> {
  const { userId } = call.account;
  const fromId = { _: 'peerUser' as const, userId };
  if (peer.kind === 'user') return { _: 'updateUserTyping', userId, action };
  if (peer.kind === 'chat') return { _: 'updateChatUserTyping', chatId: peer.id, fromId, action };
  const thread = await threadOfTopic(call, peer, topMsgId);
  const topic = thread === undefined ? {} : { topMsgId: Number(thread.slice(1)) };
  return { _: 'updateChannelUserTyping', channelId: peer.id, fromId, action, ...topic };
}

// Readers of a broadcast channel do not learn who writes to it.
async function listOthers(call: CallContext, peer: Peer): Promise<UserRecord[]> {
  const self = call.account.userId;
  if (peer.kind === 'user') return peer.id === self ? [] : [peer.user];
  if (peer.kind === 'channel') {
    const readers = peer.channel.kind === 'megagroup' ? await readersOf(call, peer, undefined) : [];
    return readers.filter(({ id }) => id !== self);
  }
  const ids = peer.chat.members.map(({ userId }) => userId).filter((id) => id !== self);
  const found = await findUsers(call, ids);
  return found.filter((user): user is UserRecord => user !== null && !user.deleted);
}

export const example: Example<'messages.setTyping'> = async (context) => ({
  peer: await peerUser(context, 'contactId'),
  action: { _: 'sendMessageTypingAction' },
});

export const difference = 'In monoforums nobody is told.';
