import { Problem } from '../problem.ts';

// For most texts a copy costs more than it saves.
const COPIED_FROM = 4 * 1024;

/**
 * A reply as it travels: a first line `STATUS OFFSET [HEADERS]`, then the body exactly as the caller gets it.
 * OFFSET is the newest update's offset, `-` for none yet; HEADERS is a JSON object, absent when there are none.
 */
export interface Reply {
  /** 0 is no answer: the caller's connection is closed instead. */
  status: number;
  /** Offset of the newest update when the call was done; null when the workspace has none. */
  offset: string | null;
  headers: Record<string, string>;
  body: string;
  /** Whether an earlier call with the same Idempotency-Key has got it; absent for no. */
  isReplay?: true;
}

/** Builds the frame of a reply. */
export function encodeFrame(
  status: number,
  tail: string,
  body: string,
  headers?: Record<string, string>,
): string {
  const extra = headers === undefined ? '' : ` ${JSON.stringify(headers)}`;
  return `${status} ${tail === '' ? '-' : tail}${extra}\n${body}`;
}

/** Reads a frame back. One in a format of another release is answered as a call of unknown outcome; it never throws. */
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

// A piece of a string keeps all of it in memory, and a connection remembers the headers of its latest answer.
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

/** The frame of a call whose connection is closed without a reply, as a fault of the sandbox asks. */
export const NO_ANSWER = '000 -\n';
