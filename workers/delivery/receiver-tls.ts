import { constants } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { DEFAULT_CIPHERS } from 'node:tls';

// Servers send two or four.
const TICKETS_MAX = 10;

/** Options of TLS that let no receiver take much of the thread. */
export const RECEIVER_TLS = {
  // The receiver may choose a group for DHE with which a handshake takes a second. Those that support nothing else are ten years old.
  ciphers: `${DEFAULT_CIPHERS}:!kDHE`,
  ecdhCurve: 'X25519:P-256:P-384:P-521',
  // Else it may ask for one handshake after another.
  secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
};

const watched = new WeakSet<Duplex>();

/** Closes a connection over which more session tickets come than a server has reason to send. They do not count as data. */
export function boundTickets(socket: Duplex): void {
  if (watched.has(socket)) return;
  watched.add(socket);
  let tickets = 0;
  socket.on('session', () => {
    tickets += 1;
    if (tickets > TICKETS_MAX) socket.destroy(new Error('too many session tickets'));
  });
}
