import { Problem } from '../problem.ts';
import { TXIDS_PER_MS } from '../txid.ts';

/** The offset before the first update of any stream. */
export const ZERO_OFFSET = '0000000000000000_0000000000000000';

const FORM = /^\d{16}_\d{16}$/;
const DIGITS = 16;

/** Whether a text has the form of an offset. Offsets of one stream compare as text. */
export function isOffset(text: string): boolean {
  return FORM.test(text);
}

/** The offset of an entry of a Redis stream, whose id is `<txid>-<index>`. */
export function offsetOf(entryId: string): string {
  const [txid = '', index = ''] = entryId.split('-');
  return `${txid.padStart(DIGITS, '0')}_${index.padStart(DIGITS, '0')}`;
}

/** The id of an offset's entry in the Redis stream. */
export function entryIdOf(offset: string): string {
  const [txid, index] = offset.split('_');
  return `${Number(txid)}-${Number(index)}`;
}

/** The last offset before the one of an update. */
export function offsetBefore(offset: string): string {
  const [txid, index] = offset.split('_');
  return `${txid}_${String(Number(index) - 1).padStart(DIGITS, '0')}`;
}

/** An offset before those of all updates since a time in ms. */
export function offsetAt(time: number): string {
  return offsetOf(`${time * TXIDS_PER_MS}-0`);
}

/** The problem for an offset that is outside of the held updates: there is a gap. */
export function offsetGone(earliest: string): Problem {
  return new Problem('offset_gone', {
    detail:
      'Updates after this offset are no longer held, or never were. `earliestOffset` is the earliest one to continue from.',
    headers: { 'stream-earliest-offset': earliest },
    members: { earliestOffset: earliest },
  });
}
