import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import type { AddressInfo } from 'node:net';

const TYPE_A = 1;
const NAME_ERROR = 3;

/** A name server over UDP that knows IPv4 addresses of some names, and never answers for others. */
export class NameServer {
  readonly address: string;
  /** By name in lower case: addresses with blanks between them, or `hangs`. Every other name does not exist. */
  readonly names = new Map<string, string>();
  /** The names it was asked for so far, once for each query. */
  readonly asked: string[] = [];
  private readonly socket: Socket;

  private constructor(socket: Socket) {
    this.socket = socket;
    this.address = `127.0.0.1:${(socket.address() as AddressInfo).port}`;
    socket.on('message', (query, from) => this.answer(query, from));
  }

  static async start(): Promise<NameServer> {
    // The usual buffer holds some 270 queries: of more at once, some would be lost, and asked again a second and a half later.
    const socket = createSocket({ type: 'udp4', recvBufferSize: 4 * 1024 * 1024 });
    await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
    return new NameServer(socket);
  }

  stop(): void {
    this.socket.close();
  }

  // RFC 1035, section 4.1: a header of 12 bytes, the question, and an answer whose name points to it.
  private answer(query: Buffer, from: RemoteInfo): void {
    const labels: string[] = [];
    let at = 12;
    for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
      labels.push(query.toString('latin1', at + 1, at + 1 + length));
      at += 1 + length;
    }
    const name = labels.join('.').toLowerCase();
    const type = query.readUInt16BE(at + 1);
    this.asked.push(name);
    const known = this.names.get(name);
    if (known === 'hangs') return;
    const records = known !== undefined && type === TYPE_A ? known.split(' ') : [];
    const header = Buffer.alloc(12);
    query.copy(header, 0, 0, 2);
    header.writeUInt16BE(0x8180 | (known === undefined ? NAME_ERROR : 0), 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(records.length, 6);
    const answers = records.map((address) =>
      Buffer.from([0xc0, 12, 0, TYPE_A, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]),
    );
    this.socket.send(
      Buffer.concat([header, query.subarray(12, at + 5), ...answers]),
      from.port,
      from.address,
    );
  }
}
