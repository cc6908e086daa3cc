import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { Problem } from '../../problem.ts';
import { BodyPieces } from './body-pieces.ts';
import { ByteShares, type HeldBytes } from './byte-shares.ts';
import { LARGE_BODY_BYTES } from './paced-tasks.ts';

/** The largest body a request may have. */
export const MAX_BODY_BYTES = 1024 * 1024;

// The most bytes of unread and unparsed bodies in a process, and of large bulks until their calls are checked.
const READ_AT_ONCE = 64 * 1024 * 1024;

// Smaller bodies are not counted, nor those that arrive in one chunk and are parsed at once.
const SMALL = 4 * 1024;

const RETRY_AFTER_MAX = 5;
const NOTHING = Buffer.alloc(0);

/** Receives a body and its share. It must release the share once the body has been parsed and checked. */
type TakeBody = (problem: Problem | null, bytes: Buffer, held: HeldBytes | null) => void;

/**
 * Reads bodies into memory: 413 above 1 MiB, 503 if too much is being read at once. An organization holds at most as much as is left for
 * all others. From its first chunk on, a body counts with its declared length.
 */
export class BodyReader {
  private readonly shares = new ByteShares(READ_AT_ONCE);

  /** Reads the body of a request. */
  read(request: FastifyRequest, take: TakeBody): void {
    const { raw } = request;
    if (raw.complete && raw.readableLength <= SMALL) take(null, readAll(raw), null);
    else this.collect(request, take);
  }

  private collect(request: FastifyRequest, take: TakeBody): void {
    const { raw } = request;
    const pieces = new BodyPieces();
    let held: HeldBytes | null = null;
    const onData = (chunk: Buffer) => {
      pieces.add(chunk);
      const { size } = pieces;
      if (size <= SMALL) return;
      if (size > MAX_BODY_BYTES) return finish(tooLarge());
      const expected = Math.max(size, Number(raw.headers['content-length'] ?? 0));
      if (held === null) {
        const isWhole = expected === size && raw.headers['content-length'] !== undefined;
        if (isWhole && size < LARGE_BODY_BYTES) return;
        held = this.join(request);
      }
      const more = expected - held.bytes;
      if (more === 0) return;
      if (held.hasRoom(more)) held.add(more);
      else finish(tooMuch());
    };
    // The listener of both `end` and `error`.
    const finish = (failure?: Error) => {
      if (failure === undefined) {
        // Nothing may be kept in `pieces`: these listeners stay as long as the request.
        return take(null, pieces.take(), held);
      }
      // The rest is read and dropped: a client that is still sending would not see the answer otherwise.
      raw.off('data', onData).off('end', finish).off('error', finish).resume();
      held?.release();
      take(failure instanceof Problem ? failure : endedEarly(), NOTHING, null);
    };
    raw.on('data', onData).on('end', finish).on('error', finish);
  }

  private join(request: FastifyRequest): HeldBytes {
    const { raw } = request;
    const held = this.shares.join(holderOf(request));
    // The share of a complete body is released by `take`.
    raw.once('close', () => raw.readableEnded || held.release());
    return held;
  }
}

/** The holder in whose share a body counts. */
export function holderOf({ principal }: FastifyRequest): string {
  return principal.kind === 'key' ? principal.organizationId : 'root';
}

// Reads a complete body: faster than listening for its chunks.
function readAll(raw: IncomingMessage): Buffer {
  const bytes = (raw.read() as Buffer | null) ?? NOTHING;
  // Otherwise Node takes the body for unread, and drains it after the answer.
  (raw as IncomingMessage & { _consuming: boolean })._consuming = true;
  return bytes;
}

/** The problem of a body that is too large. */
export function tooLarge(): Problem {
  return new Problem('body_too_large', { detail: `The limit is ${MAX_BODY_BYTES} bytes.` });
}

function tooMuch(): Problem {
  return new Problem('overloaded', {
    detail: 'Large bodies arrive slowly. Send fewer at once, or retry later.',
    headers: { 'retry-after': String(1 + Math.floor(Math.random() * RETRY_AFTER_MAX)) },
  });
}

function endedEarly(): Problem {
  return new Problem('bad_request', { detail: 'The body ended too early.' });
}
