import { randomBytes } from 'node:crypto';

// Nobody outside the process can know it, so no text a user sends is ever taken for a placeholder.
const NONCE = randomBytes(12).toString('hex');
const IN_JSON = new RegExp(`"\\\\u0001${NONCE}(\\d+)\\\\u0002"`, 'g');

/**
 * Stands for what the commit script fills in: a counter's value that it has yet to allocate, or a text that is sent once and
 * written in several places. It can be stored, sent and put into a key's member, but not calculated with.
 */
export class Placeholder {
  readonly index: number;

  constructor(index: number) {
    this.index = index;
  }

  toJSON(): string {
    return `\u0001${NONCE}${this.index}\u0002`;
  }

  [Symbol.toPrimitive](hint: string): string {
    if (hint === 'string') return `\x01${this.index}\x02`;
    throw new TypeError('A counter has no value before the commit');
  }
}

/** JSON in which every placeholder is the raw mark that the commit script fills in. */
export function encodeJson(value: unknown): string {
  return JSON.stringify(value).replace(IN_JSON, '\x01$1\x02');
}
