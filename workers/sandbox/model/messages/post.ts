import type { tl } from '@mtcute/core';
import type { TlJson } from '../../../../src/tl/tl-json.ts';
import type { TlMessage } from '../boxes/messages.ts';
import type { Burst } from '../common/burst.ts';
import type { Thread } from '../common/keys.ts';
import type { Reply } from './replies.ts';

/** What a message says, without what differs between its copies. */
export type Draft = Omit<TlJson<tl.RawMessage>, 'id' | 'peerId' | 'date'> | ServiceDraft;

export type ServiceDraft = Omit<TlJson<tl.RawMessageService>, 'id' | 'peerId' | 'date'>;

export interface PostOptions {
  /** Users whose copies are marked as mentioning them, where they are of the group. */
  mentions?: ReadonlySet<number>;
  /** The message it answers, by the id each box knows it by. */
  reply?: Reply | undefined;
  /** The thread it goes to, where not that of the answered message. */
  thread?: Thread;
  /** An id got from `takeMessageId`, for a message in a channel that has to have a known one. */
  id?: number;
  /** What the copies of all others say, where it is not what the sender's own says. */
  toOthers?: Draft;
  /** The invoice it shows. */
  invoiceId?: string | undefined;
  /** Members of the channel, where this commit makes it or changes it or who they are: the calling account may say so. */
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
