import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { every } from '../../every.ts';

const POLL_MS = 2_000;

// A client that reads less than this in this time is disconnected.
const PATIENCE_MS = 10_000;
const TAKEN_MIN = 64 * 1024;

/** The write counts of a socket, which Node's types lack. */
interface WriteCounts {
  bytesWritten: number;
  writeQueueSize: number;
}

interface Reader {
  since: number;
  takenBytes: number;
}

/** Disconnects clients that do not read their answers, which stay in memory until they do. */
export function cutSlowReaders(server: Server): void {
  const sockets = new Set<Socket>();
  const readers = new WeakMap<Socket, Reader>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  const check = () => {
    const now = performance.now();
    for (const socket of sockets) {
      const handle = (socket as Socket & { _handle: WriteCounts | null })._handle;
      if (handle === null) continue;
      const unsent = handle.writeQueueSize;
      if (unsent === 0) readers.delete(socket);
      else if (isTooSlow(handle.bytesWritten - unsent, now, readers, socket)) socket.destroy();
    }
  };
  const polling = every(POLL_MS, check);
  server.once('close', () => polling.stop());
}

function isTooSlow(
  takenBytes: number,
  now: number,
  readers: WeakMap<Socket, Reader>,
  socket: Socket,
): boolean {
  const reader = readers.get(socket);
  if (reader === undefined || takenBytes - reader.takenBytes >= TAKEN_MIN) {
    readers.set(socket, { since: now, takenBytes });
    return false;
  }
  return now - reader.since >= PATIENCE_MS;
}
