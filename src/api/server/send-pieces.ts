import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';

// A shorter body is sent in one piece.
const PIECE_BYTES = 128 * 1024;

/**
 * Sends a body that consists of many texts. A long body is joined and written in pieces, one per turn of the event loop, so that other
 * requests need not wait for all of it.
 */
export async function sendPieces(reply: FastifyReply, texts: Iterable<string>): Promise<FastifyReply> {
  const pieces: Buffer[] = [];
  let text = '';
  for (const one of texts) {
    text += one;
    if (text.length < PIECE_BYTES) continue;
    pieces.push(Buffer.from(text));
    text = '';
    await nextTurn();
  }
  if (pieces.length === 0) return reply.send(text);
  pieces.push(Buffer.from(text));
  reply.header(
    'content-length',
    pieces.reduce((sum, { length }) => sum + length, 0),
  );
  return reply.send(Readable.from(inTurns(pieces)));
}

async function* inTurns(pieces: Buffer[]): AsyncGenerator<Buffer> {
  for (const piece of pieces) {
    yield piece;
    await nextTurn();
  }
}
