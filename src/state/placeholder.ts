import { randomBytes } from 'node:crypto';

// Nobody outside the process knows it, so no text from a user can be mistaken for a placeholder.
const NONCE = randomBytes(12).toString('hex');
const IN_JSON = `"\\u0001${NONCE}`;
const END_IN_JSON = '\\u0002"';
const MARK = /\x01(\d+)\x02/;

/** A text with placeholders: strings alternating with the numbers of the placeholders between them. A plain string has none. */
export type Template = string | (string | number)[];

/**
 * Stands for a value that the commit script fills in: the value of a counter that is not yet allocated, or a text that is sent once and
 * written in several places. It can be stored, sent and used in members, but not calculated with.
 */
export class Placeholder {
  readonly index: number;
  /** The value that a shared text encodes. */
  readonly value: object | undefined;

  constructor(index: number, value?: object) {
    this.index = index;
    this.value = value;
  }

  toJSON(): string {
    return `\u0001${NONCE}${this.index}\u0002`;
  }

  [Symbol.toPrimitive](hint: string): string {
    if (hint === 'string') return `\x01${this.index}\x02`;
    throw new TypeError('A counter has no value before the commit');
  }
}

/** Stands for the time of the commit as a score: the ms since the epoch that its txid tells, by Redis' clock. */
export const COMMIT_TIME = new Placeholder(0) as unknown as number;

const NAMES_MAX = 10_000;
const names = new Map<string, MemberName>();

/** How a member's name is written: as the first of its object, and as a later one. */
interface MemberName {
  first: string;
  later: string;
}

/** JSON as a template, with the value's placeholders. */
export function encodeJson(value: unknown): Template {
  return encodeMembers(value) ?? cut(JSON.stringify(value));
}

// Placeholders are nearly always direct members of the object. Encoding member by member is several times faster than stringifying the
// whole, searching it and cutting it. Null if a placeholder is deeper.
function encodeMembers(value: unknown): Template | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || 'toJSON' in value) return null;
  const pieces: (string | number)[] = [];
  let text = '';
  let isFirst = true;
  for (const name of Object.keys(value)) {
    const member = (value as Record<string, unknown>)[name];
    if (member instanceof Placeholder) {
      pieces.push(text + encodeName(name, isFirst), member.index);
      text = '';
    } else {
      const json = encodeMember(member);
      if (json === undefined) continue;
      if (typeof member === 'object' && json.includes(IN_JSON)) return null;
      text += encodeName(name, isFirst) + json;
    }
    isFirst = false;
  }
  text += isFirst ? '{}' : '}';
  if (pieces.length === 0) return text;
  pieces.push(text);
  return pieces;
}

function encodeMember(member: unknown): string | undefined {
  // Nearly half of all members; this is faster than `JSON.stringify`.
  if (typeof member === 'boolean' || Number.isFinite(member)) return `${member}`;
  return JSON.stringify(member);
}

function encodeName(name: string, isFirst: boolean): string {
  let known = names.get(name);
  if (known === undefined) {
    const json = `${JSON.stringify(name)}:`;
    known = { first: `{${json}`, later: `,${json}` };
    if (names.size < NAMES_MAX) names.set(name, known);
  }
  return isFirst ? known.first : known.later;
}

function cut(json: string): Template {
  const parts = json.split(IN_JSON);
  if (parts.length === 1) return json;
  const pieces: (string | number)[] = [parts[0] as string];
  for (let i = 1; i < parts.length; i += 1) {
    const part = parts[i] as string;
    const end = part.indexOf(END_IN_JSON);
    pieces.push(Number(part.slice(0, end)), part.slice(end + END_IN_JSON.length));
  }
  return pieces;
}

/** Converts a placeholder, or a string that contains placeholders, to a template. */
export function toTemplate(value: number | Template): Template {
  if (typeof value === 'number') return `${value}`;
  if (Array.isArray(value)) return value;
  // A placeholder has the type of the number that it stands for.
  if (typeof value === 'object') return ['', (value as Placeholder).index];
  // UTF-8 cannot encode half a surrogate pair: it becomes U+FFFD.
  const text = value.toWellFormed();
  if (!text.includes('\x01')) return text;
  const pieces: (string | number)[] = text.split(MARK);
  for (let i = 1; i < pieces.length; i += 2) pieces[i] = Number(pieces[i]);
  return pieces.length === 1 ? text : pieces;
}

/** A template with text before and after it. */
export function enclose(before: string, template: Template, behind: string): Template {
  if (typeof template === 'string') return before + template + behind;
  const pieces = [...template];
  pieces[0] = `${before}${pieces[0]}`;
  if (pieces.length % 2 === 0) pieces.push(behind);
  else pieces[pieces.length - 1] = `${pieces[pieces.length - 1]}${behind}`;
  return pieces;
}

/** The length of a template's strings, in characters. */
export function lengthOf(template: Template): number {
  if (typeof template === 'string') return template.length;
  let length = 0;
  for (let i = 0; i < template.length; i += 2) length += (template[i] as string).length;
  return length;
}
