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
  /** The account that the update is for; null if its user has no account. */
  messengerAccountId: string | null;
  /** The user that the update is for, if that user has no account. */
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
  /** Absent if it is larger than 64 KiB: read it with the call then. */
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
 * A part of the stream that can no longer be read: the updates after `from` and up to `to` were removed. If `to` is not after `from`, Redis
 * has lost the end of the stream, and new updates come after `to`. Read the state itself, such as with `messages.getHistory`.
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
