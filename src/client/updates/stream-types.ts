import type { tl } from '@mtcute/core';
import type { MethodName, TlJson, Update } from '../../tl/tl-json.ts';
import type { ProblemDocument } from '../errors.ts';

/** The members of all entries of the update stream. */
interface Entry<Kind extends string, Content> {
  /** Unique, and the same on every delivery. */
  id: string;
  /** Its position in the stream; sorts as text. */
  offset: string;
  kind: Kind;
  timestamp: string;
  workspaceId: string;
  /** The account it is for; null for a user without one. */
  messengerAccountId: string | null;
  /** The user it is for, if that user has no account. */
  userId?: number;
  /** The transaction number of the call that caused it. */
  txid: number;
  /** The TL object, or the event. */
  update: Content;
  /** The users that the update mentions, as its receiver saw them then. */
  users: TlJson<tl.TypeUser>[];
  /** The basic groups and channels that it mentions. */
  chats: TlJson<tl.TypeChat>[];
}

type TlEntry = {
  [Tag in Update['_']]: Entry<`Raw${Capitalize<Tag>}`, Extract<Update, { _: Tag }>>;
}[Update['_']];

interface CallSucceeded {
  _: 'call.succeeded';
  callId: string;
  method: MethodName;
  /** Absent if it is larger than 64 KiB; the call has it then. */
  result?: { _: string; [member: string]: unknown };
}

interface CallFailed {
  _: 'call.failed';
  callId: string;
  method: MethodName;
  status: 'failed' | 'canceled' | 'expired';
  error: ProblemDocument;
}

/** An entry of the update stream. */
export type StreamUpdate =
  | TlEntry
  | Entry<'call.succeeded', CallSucceeded>
  | Entry<'call.failed', CallFailed>;

/** The name of a kind of update. */
export type UpdateKind = StreamUpdate['kind'];

/**
 * Updates after `from` and up to `to` are not held any more; or the end of the stream was lost, and what is new comes after `to`, which is
 * not after `from`. Read the state itself, such as with `messages.getHistory`.
 */
export interface StreamGap {
  kind: 'stream.gap';
  from: string;
  to: string;
}

/** An item of a followed stream. */
export type StreamItem<Kind extends UpdateKind = UpdateKind> =
  | Extract<StreamUpdate, { kind: Kind }>
  | StreamGap;
