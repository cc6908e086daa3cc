import type { Server } from 'node:http';
import { Socket } from 'node:net';

type Writev = NonNullable<Socket['_writev']>;

const gather = Socket.prototype._writev as Writev;

/**
 * Writes each answer as a single chunk: Node adds an empty second one, and a gathered write of both takes longer than writing the first.
 */
export function writeSingleChunk(server: Server): void {
  server.on('connection', (socket: Socket) => {
    socket._writev = writeParts;
  });
}

const writeParts: Writev = function writeParts(this: Socket, parts, done) {
  const [first, second] = parts;
  if (first === undefined || parts.length !== 2 || second?.chunk !== '') gather.call(this, parts, done);
  else this._write(first.chunk, first.encoding, done);
};
