import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** Many connections of attackers: they send what they are told to, and throw away what they are answered. */
export class Crowd {
  private readonly sockets: Socket[] = [];
  /** How much they were answered so far. */
  bytes = 0;
  /** How many answers of each status began at the beginning of what came at once: enough to know what is answered at all. */
  readonly statuses = new Map<string, number>();

  /** Opens a connection, and sends on it. */
  async send(url: string, requests: string): Promise<void> {
    (await this.open(url)).write(requests);
  }

  /** Opens a connection that sends nothing yet. */
  async open(url: string): Promise<Socket> {
    const { hostname, port } = new URL(url);
    const socket = connect({ host: hostname, port: Number(port) });
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      this.bytes += chunk.length;
      if (chunk.length < 12 || chunk.toString('latin1', 0, 7) !== 'HTTP/1.') return;
      const status = chunk.toString('latin1', 9, 12);
      this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
    });
    this.sockets.push(socket);
    await once(socket, 'connect');
    return socket;
  }

  /** Cuts all of them off. */
  leave(): void {
    for (const socket of this.sockets) socket.destroy();
  }
}

/** A GET request as it stands on the wire. */
export function getRequest(path: string, key: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n\r\n`;
}
