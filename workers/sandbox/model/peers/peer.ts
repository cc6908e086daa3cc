import type { CallContext } from '../../../driver.ts';
import type { ChannelRecord, ChatRecord, MemberRecord } from '../chats/chats.ts';
import { type Box, channelBox, type PeerKey, userBox } from '../common/keys.ts';
import type { Blocks } from '../people/blocks.ts';
import type { UserRecord } from '../people/users.ts';

/** A conversation partner that exists and that the calling account may reach. */
export type Peer =
  | {
      kind: 'user';
      id: number;
      key: PeerKey;
      user: UserRecord;
      /** Which of the two has blocked the other, if that was looked up with the user. */
      blocks?: Blocks;
    }
  | {
      kind: 'chat';
      id: number;
      key: PeerKey;
      chat: ChatRecord;
      /** The stored record; absent if this commit creates or changes the group, and checks the record itself. */
      raw?: string;
    }
  | {
      kind: 'channel';
      id: number;
      key: PeerKey;
      channel: ChannelRecord;
      member: MemberRecord | null;
    };

export type ChannelPeer = Extract<Peer, { kind: 'channel' }>;

/** The box in which the calling account finds a conversation's messages. */
export function boxOf(call: CallContext, peer: Pick<Peer, 'kind' | 'id'>): Box {
  return peer.kind === 'channel' ? channelBox(peer.id) : userBox(call.account.userId);
}
