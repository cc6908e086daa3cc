import { readFile, writeFile } from 'node:fs/promises';

/** What a call is for: `send` and `voice` send a message, `edit` changes one, `read` hears a voice message, `look` changes nothing. */
export type CallKind = 'send' | 'voice' | 'edit' | 'read' | 'look';

/** One attempt at a call and what came of it. Attempts of one call have the same `call` number and the same Idempotency-Key. */
export interface Attempt {
  type: 'attempt';
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
  /** The answer's status; 0 when there was none, and `code` then says why: `refused`, `lost` or `unanswered`. */
  status: number;
  code: string;
  txid: number | null;
  replayed: boolean;
  /** A digest of the result, to tell whether two are the same. */
  result: string;
  /** The id of the message sent, and how many messages a read changed, where the answer says so. */
  messageId: number | null;
  ptsCount: number | null;
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

export type Entry = Attempt | KnownAccount | Seen | Truth | Held | Disturbance | Incident;

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
