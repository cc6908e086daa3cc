import { Problem } from '../problem.ts';

/** The position before everything that was ever in a stream. */
export const ZERO_OFFSET = '0000000000000000_0000000000000000';

const FORM = /^\d{16}_\d{16}$/;
const DIGITS = 16;

/** Whether a text has the form of an offset. Offsets of one stream compare as texts do. */
export function isOffset(text: string): boolean {
  return FORM.test(text);
}

/** The offset of an entry of a Redis stream, whose id is `<txid>-<index>`. */
export function offsetOf(entryId: string): string {
  const [txid = '', index = ''] = entryId.split('-');
  return `${txid.padStart(DIGITS, '0')}_${index.padStart(DIGITS, '0')}`;
}

/** The id in the Redis stream that an offset stands for. */
export function entryIdOf(offset: string): string {
  const [txid, index] = offset.split('_');
  return `${Number(txid)}-${Number(index)}`;
}

/** The failure of a reader whose offset is outside of what is held: there is a gap, and it is said. */
export function offsetGone(earliest: string): Problem {
  return new Problem('offset_gone', {
    detail:
      'Updates behind this offset are no longer held, or never were. The earliest offset to go on from is given.',
    headers: { 'stream-earliest-offset': earliest },
    members: { earliestOffset: earliest },
  });
}
