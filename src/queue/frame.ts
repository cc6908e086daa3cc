import { Problem } from '../problem.ts';

// For shorter texts a copy costs more than it saves.
const COPIED_FROM = 4 * 1024;

/**
 * A reply on the wire: a first line `STATUS OFFSET [HEADERS]`, then the body exactly as the caller gets it. OFFSET is the newest update's
 * offset, or `-` if there is no update; HEADERS is a JSON object, absent if there are none.
 */
export interface Reply {
  /** 0 means no answer: the caller's connection is closed instead. */
  status: number;
  /** Offset of the newest update when the call was done; null if the workspace has no updates. */
  offset: string | null;
  headers: Record<string, string>;
  body: string;
  /** Whether it is the reply of an earlier call with the same Idempotency-Key; absent for no. */
  isReplay?: true;
  /** Whether a repetition would get the same reply, whatever its status; absent for no. */
  isFinal?: true;
}

/** The field before a reply that holds what its call has cost. An earlier release takes its name for the number of a call that is gone. */
export const COST_FIELD = 'cost';

/** What else an API process is told with a reply. */
export interface ReplyNote {
  /** How many permits the call has cost; absent for one. */
  cost?: number | undefined;
  /** Until when it ran; of a traced call only. */
  ranUntil?: number | undefined;
}

/** The note of most replies. */
export const NO_NOTE: ReplyNote = {};

/** Builds the frame of a reply; `tail` is its OFFSET, `''` if there is no update. */
export function encodeFrame(
  status: number,
  tail: string,
  body: string,
  headers?: Record<string, string>,
): string {
  const extra = headers === undefined ? '' : ` ${JSON.stringify(headers)}`;
  return `${status} ${tail === '' ? '-' : tail}${extra}\n${body}`;
}

/** Parses a frame. A frame in another release's format becomes `outcome_unknown`. Never throws. */
export function decodeFrame(frame: string): Reply {
  const status = Number(frame.slice(0, 3));
  const end = frame.indexOf('\n');
  const line = frame.slice(4, end);
  const space = line.indexOf(' ');
  const tail = space === -1 ? line : line.slice(0, space);
  const headers = space === -1 ? {} : findHeaders(line.slice(space + 1));
  if (headers === null || end === -1 || frame[3] !== ' ' || !(status === 0 || status >= 100))
    return unreadable();
  return { status, offset: tail === '-' ? null : own(tail, frame), headers, body: frame.slice(end + 1) };
}

// Copies the piece: a slice keeps the whole string in memory, and a connection keeps the headers of its latest answer.
function own(piece: string, frame: string): string {
  return frame.length < COPIED_FROM ? piece : Buffer.from(piece, 'latin1').toString('latin1');
}

function findHeaders(json: string): Record<string, string> | null {
  try {
    return JSON.parse(json) as Record<string, string>;
  } catch {
    return null;
  }
}

function unreadable(): Reply {
  const problem = new Problem('outcome_unknown', {
    detail: 'The call has run, and its reply was written by another release than the one that answers.',
  });
  return { status: problem.status, offset: null, headers: {}, body: JSON.stringify(problem) };
}

/** The frame that closes the caller's connection without a reply: an injected fault of the sandbox. */
export const NO_ANSWER = '000 -\n';
