import type { MethodResult, Update } from '../../../../src/tl/tl-json.ts';
import type { CallContext } from '../../../driver.ts';
import type { TlChat } from '../chats/chats.ts';
import { listMentioned } from '../peers/mentioned.ts';
import type { Peer } from '../peers/peer.ts';
import { type TlPeer, toTlPeer } from '../peers/tl-peer.ts';
import type { Posted } from './post.ts';

type Updates = MethodResult<'messages.deleteChatUser'>;

/** The result of a method that posts a service message; `chat` is the conversation after this commit. */
export async function toPostedUpdates(
  call: CallContext,
  peer: Peer,
  { message, pts }: Posted,
  { chat, others = [], more = [] }: { chat: TlChat; others?: readonly number[]; more?: Update[] },
): Promise<Updates> {
  const kind = peer.kind === 'channel' ? 'updateNewChannelMessage' : 'updateNewMessage';
  return toUpdates(call, [...more, { _: kind, message, pts, ptsCount: 1 }], {
    chat,
    peers: [call.account.userId, ...others].map((id) => toTlPeer({ kind: 'user', id })),
  });
}

/** These updates with a conversation in its state after this commit, and the users that they mention. */
export async function toUpdates(
  call: CallContext,
  updates: Update[],
  { chat, peers = [] }: { chat: TlChat; peers?: TlPeer[] },
): Promise<Updates> {
  const { users } = await listMentioned(call, peers);
  return { _: 'updates', updates, users, chats: [chat], date: call.date, seq: 0 };
}
