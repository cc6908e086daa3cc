import { randomFillSync } from 'node:crypto';

/** The prefixes of Switchboard's ids. */
export const ID_PREFIXES = {
  organization: 'org',
  workspace: 'ws',
  messengerAccount: 'acc',
  apiKey: 'key',
  call: 'call',
  webhook: 'wh',
  delivery: 'dlv',
  audit: 'aud',
} as const;

/**
 * A new K-sortable TypeID (https://github.com/jetify-com/typeid), such as `call_01h455vb4pex5vsknk084sn02q`: a UUID of version 7 in
 * Crockford's base32. The ids of one process increase, also within a millisecond (RFC 9562, 6.2, method 1), unless its clock is set back
 * far. Made here because every call needs one, and a library took too long.
 */
export function newId(kind: keyof typeof ID_PREFIXES): string {
  const now = Date.now();
  if (now > latestMs || now < latestMs - SET_BACK_MS) {
    latestMs = now;
    sequence = random() & SEQUENCE_START_MASK;
    timeText = encodeTime(now);
  } else if (sequence < SEQUENCE_MAX) {
    sequence += 1;
  } else {
    latestMs += 1;
    sequence = 0;
    timeText = encodeTime(latestMs);
  }
  // The version, the sequence, the variant and two random bits; 60 random bits.
  const middle = (VERSION << 16) | (sequence << 4) | VARIANT | (random() & 3);
  return `${ID_PREFIXES[kind]}_${timeText}${encode(middle, 4)}${encode(random(), 6)}${encode(random(), 6)}`;
}

/** A lower bound: ids made at that time or later sort after it, and earlier ones before it. */
export function idsSince(kind: keyof typeof ID_PREFIXES, ms: number): string {
  const time = Math.min(Math.max(Math.floor(ms), 0), 2 ** 48 - 1);
  return `${ID_PREFIXES[kind]}_${encodeTime(time)}`;
}

/** When an id was made, in ms since the epoch. */
export function timeOfId(id: string): number {
  let time = 0;
  for (const digit of id.slice(-26, -16)) time = time * 32 + ALPHABET.indexOf(digit);
  return time;
}

/** A new id, and when it was made. */
export function newIdentity(kind: keyof typeof ID_PREFIXES): { id: string; createdAt: string } {
  const id = newId(kind);
  return { id, createdAt: new Date(timeOfId(id)).toISOString() };
}

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
// All pairs of digits: an id is joined from half as many pieces.
const PAIRS = [...ALPHABET].flatMap((first) => [...ALPHABET].map((second) => first + second));
const VERSION = 7;
const VARIANT = 0b1000;
const SEQUENCE_MAX = 0xfff;
// A random start that leaves room to rise.
const SEQUENCE_START_MASK = 0x7ff;

// By so much the clock may go back without the ids. If it was set back by more, they would tell a wrong time for as long as it was ahead.
const SET_BACK_MS = 10_000;

const pool = new Uint32Array(1_024);
let drawn = pool.length;
let latestMs = 0;
let sequence = 0;
let timeText = '';

function random(): number {
  if (drawn === pool.length) {
    randomFillSync(pool);
    drawn = 0;
  }
  const number = pool[drawn] as number;
  drawn += 1;
  return number;
}

function encodeTime(ms: number): string {
  return encode(Math.floor(ms / 2 ** 30), 4) + encode(ms % 2 ** 30, 6);
}

/** The lowest `digits` digits of a whole number in base 32; an even number of them, of a number below 2 ** 32. */
function encode(number: number, digits: number): string {
  let text = '';
  for (let shift = 5 * (digits - 2); shift >= 0; shift -= 10) text += PAIRS[(number >>> shift) & 1_023];
  return text;
}

/** Whether a text has the form of an id of that kind, and so is safe as part of a Redis key. */
export function isId(kind: keyof typeof ID_PREFIXES, text: string): boolean {
  const prefix = ID_PREFIXES[kind];
  return text.length === prefix.length + 27 && text.startsWith(`${prefix}_`) && SUFFIX.test(text.slice(-26));
}

const SUFFIX = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/;
