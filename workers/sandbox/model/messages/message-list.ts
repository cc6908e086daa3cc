import type { tl } from '@mtcute/core';
import type { TlJson } from '../../../../src/tl/tl-json.ts';
import type { CallContext } from '../../../driver.ts';
import type { TlMessage } from '../boxes/messages.ts';
import { peersOf } from '../boxes/named-peers.ts';
import { listMentioned } from '../peers/mentioned.ts';
import type { TlPeer } from '../peers/tl-peer.ts';
import { showPolls } from './show-polls.ts';

/** `messages.messages` with all users and chats that the messages mention, and with those of `others`. */
export async function toMessageList(
  call: CallContext,
  messages: (TlMessage | MessageEmpty)[],
  others: readonly TlPeer[] = [],
) {
  const shown = await showPolls(call, messages);
  const mentioned = await listMentioned(call, [...peersOf(...shown), ...others]);
  return {
    _: 'messages.messages' as const,
    messages: shown,
    topics: [],
    ...mentioned,
  };
}

export type MessageEmpty = TlJson<tl.RawMessageEmpty>;
