import { readFile, writeFile } from 'node:fs/promises';

/**
 * What a call is for: `send` and `voice` send a message, `edit` changes one, `read` hears a voice message, `look` changes nothing,
 * and `wrong` edits a message that is not there, which always fails.
 */
export type CallKind = 'send' | 'voice' | 'edit' | 'read' | 'look' | 'wrong';

/** How an attempt is made: by a request of its own, with others in one request, or so that nobody waits for it. */
export type CallForm = 'sync' | 'async' | 'bulk' | 'async bulk';

/** What the answer to a call, the record of an async one or the event of its end says of its outcome. */
export interface Told {
  txid: number | null;
  /** A digest of the result, to tell whether two are the same. */
  result: string;
  /** The id of the message sent, and how many messages a read changed, where the answer says so. */
  messageId: number | null;
  ptsCount: number | null;
}

/** One attempt at a call and what came of it. Attempts of one call have the same `call` number and the same Idempotency-Key. */
export interface Attempt extends Told {
  type: 'attempt';
  form: CallForm;
  call: number;
  attempt: number;
  kind: CallKind;
  workspace: string;
  account: string;
  /** The other account of the conversation. */
  peer: string;
  /** The text that this call alone sends. */
  text: string | null;
  /** The message that is edited or heard, by the caller's own id. */
  target: number | null;
  keyed: boolean;
  api: number;
  /** Times are ms since the run began. */
  sentAt: number;
  doneAt: number;
  /** The answer's status; 0 when there was none, and `code` then says why: `refused`, `lost`, `hung up` or `unanswered`. */
  status: number;
  code: string;
  /** Length of the answer's body. */
  bytes: number;
  /** How long to wait before the next attempt, where the answer says so. */
  retryAfterMs: number;
  /** Null where the answer could not say so. */
  replayed: boolean | null;
  /** The id of an async call that was taken in. */
  callId: string | null;
}

/** The last answer to a request to cancel an async call. */
export interface Cancellation {
  type: 'cancellation';
  callId: string;
  status: number;
  code: string;
}

/** An async call as it stands at the end, by its id or in the list of its workspace. */
export interface AsyncCall extends Told {
  type: 'kept';
  workspace: string;
  callId: string;
  from: 'id' | 'list';
  /** `succeeded`, `failed` and so on; `absent` where there is no such call. */
  status: string;
  /** The code of its error. */
  code: string;
  /** When it was read, ms since the run began. */
  at: number;
}

/** A messenger account of the run. */
export interface KnownAccount {
  type: 'account';
  workspace: string;
  account: string;
  userId: number;
}

/** An update as the follower of a workspace got it, in the order it came. */
export interface Seen {
  type: 'seen';
  workspace: string;
  offset: string;
  digest: string;
}

/** An update as the stream holds it at the end, in the stream's order. */
export interface Truth {
  type: 'update';
  workspace: string;
  offset: string;
  digest: string;
  kind: string;
  account: string | null;
  txid: number | null;
  pts: number | null;
  ptsCount: number | null;
  /** Of a new or edited private message: its text, its id, and the user id of the conversation. */
  text: string | null;
  messageId: number | null;
  peerUserId: number | null;
  /** The messages that were heard. */
  heard: number[];
  /** Of the end of an async call. */
  end: { callId: string; status: string; code: string; result: string } | null;
}

/** A message that an account has at the end. */
export interface Held {
  type: 'message';
  workspace: string;
  account: string;
  id: number;
  text: string;
}

/** Something that was done to the service, from when to when. */
export interface Disturbance {
  type: 'chaos';
  kind: string;
  target: string;
  from: number;
  until: number;
}

/** Something a process of the service said or did that it never should. */
export interface Incident {
  type: 'incident';
  process: string;
  at: number;
  what: string;
}

export type Entry =
  | Attempt
  | Cancellation
  | AsyncCall
  | KnownAccount
  | Seen
  | Truth
  | Held
  | Disturbance
  | Incident;

/** Writes a history as JSON lines, with what the run was on the first. */
export async function saveHistory(file: string, run: object, history: readonly Entry[]): Promise<void> {
  const lines = [{ type: 'run', ...run }, ...history].map((entry) => JSON.stringify(entry));
  await writeFile(file, `${lines.join('\n')}\n`);
}

/** Reads a history that `saveHistory` wrote. */
export async function readHistory(file: string): Promise<Entry[]> {
  const lines = (await readFile(file, 'utf8')).trimEnd().split('\n').slice(1);
  return lines.map((line) => JSON.parse(line) as Entry);
}
