import type { tl } from '@mtcute/core';
import type { TlJson } from '../../../../src/tl/tl-json.ts';
import type { TlMessage } from '../boxes/messages.ts';
import type { Burst } from '../common/burst.ts';
import type { Thread } from '../common/keys.ts';
import type { ReplyTarget } from './replies.ts';

/** A message's content, without the fields that differ between its copies. */
export type MessageDraft = Omit<TlJson<tl.RawMessage>, 'id' | 'peerId' | 'date'> | ServiceDraft;

export type ServiceDraft = Omit<TlJson<tl.RawMessageService>, 'id' | 'peerId' | 'date'>;

/** Whether a message in a group mentions a user: by name, or as the author of the message that it replies to. */
export function isMentioned(
  userId: number,
  draft: MessageDraft,
  { mentions, reply }: { mentions?: ReadonlySet<number> | undefined; reply?: ReplyTarget | undefined },
): boolean {
  return mentions?.has(userId) === true || (draft._ === 'message' && reply?.authorId === userId);
}

export interface PostOptions {
  /**
   * Users whom the message mentions by name. Those who are members of the group see it marked, as does the author of the message that it
   * replies to.
   */
  mentions?: ReadonlySet<number>;
  /** The message it replies to, with its id in each box. */
  reply?: ReplyTarget | undefined;
  /** The thread it goes to, if not that of the message it replies to. */
  thread?: Thread;
  /** An id from `takeMessageId`, for a message in a channel whose id has to be known. */
  id?: number;
  /** The content of all others' copies, if it differs from the sender's own. */
  toOthers?: MessageDraft;
  /** The invoice it shows. */
  invoiceId?: string | undefined;
  /** Members of the channel, if this commit creates or changes the channel or its members: then the calling account may post. */
  memberIds?: readonly number[];
  burst?: Burst;
}

/** A message as its sender has it once the call is committed. */
export interface Posted {
  message: TlMessage;
  pts: number;
  /** In a private chat: the id of the other side's copy. */
  twin?: number | undefined;
}
