import { createHmac, timingSafeEqual } from 'node:crypto';
import { Problem } from '../problem.ts';

/** A position between the items of a list: just before or just after an id, whether or not that id still exists. */
export interface Position {
  side: 'before' | 'after';
  id: string;
}

const SEAL_BYTES = 16;
const SIDES = { before: 0, after: 1 } as const;

/** Makes cursors and opens them. Nobody else can make one, and each fits only the list it was made for. */
export class CursorSealer {
  private readonly secret: Buffer;

  constructor(secret: Buffer) {
    this.secret = secret;
  }

  /** The cursor for a position in the list that `list` describes. */
  seal(list: string, { side, id }: Position): string {
    const body = Buffer.concat([Buffer.of(SIDES[side]), Buffer.from(id, 'latin1')]);
    return Buffer.concat([this.sign(list, body), body]).toString('base64url');
  }

  /** The position that a cursor was made for. Throws `invalid_cursor`, without a reason, if it was not made here for this list. */
  open(list: string, cursor: string): Position {
    const bytes = Buffer.from(cursor, 'base64url');
    const body = bytes.subarray(SEAL_BYTES);
    const sealed =
      bytes.length > SEAL_BYTES && timingSafeEqual(bytes.subarray(0, SEAL_BYTES), this.sign(list, body));
    // Decoding base64url ignores characters that do not belong there, so the text itself is compared too.
    if (!sealed || bytes.toString('base64url') !== cursor) throw new Problem('invalid_cursor');
    return {
      side: body[0] === SIDES.before ? 'before' : 'after',
      id: body.toString('latin1', 1),
    };
  }

  private sign(list: string, body: Buffer): Buffer {
    return createHmac('sha256', this.secret)
      .update(`${list}\0`)
      .update(body)
      .digest()
      .subarray(0, SEAL_BYTES);
  }
}
