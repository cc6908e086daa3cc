import { connect, type Socket } from 'node:net';
import { TXIDS_PER_MS } from '../../../src/txid.ts';
import { Samples } from '../load/samples.ts';
import { toGetRequest } from './management.ts';

const ACCEPTED = 'HTTP/1.1 200 ';

// All readers share it: its content is used up before the next read.
const shared = Buffer.allocUnsafe(256 * 1024);

/** Readers of one workspace's updates by server-sent events, each on a connection of its own; they count and do not keep. */
export class Subscribers {
  /** From the commit, by Redis' clock, until an event arrived. */
  readonly delays = new Samples();
  private readonly counts: number[] = [];
  private readonly sockets: Socket[] = [];
  private ended = 0;

  /** Opens them, a few at a time; resolves once all are accepted. */
  async open(count: number, port: number, workspaceId: string, key: string): Promise<void> {
    for (let opened = 0; opened < count; opened += 50) {
      const some = Array.from({ length: Math.min(50, count - opened) }, (_, index) =>
        this.openOne(opened + index, port, workspaceId, key),
      );
      await Promise.all(some);
    }
  }

  /** How many of them have not been given exactly so many updates. */
  without(updates: number): number {
    return this.counts.filter((count) => count !== updates).length;
  }

  /** How many of their connections have ended. */
  get gone(): number {
    return this.ended;
  }

  close(): void {
    for (const socket of this.sockets.splice(0)) socket.destroy();
  }

  // Of the answer no more is looked at than tells its events apart: what reading costs must not be what calls wait for.
  private openOne(index: number, port: number, workspaceId: string, key: string): Promise<void> {
    const path = `/v1/workspaces/${workspaceId}/updates?offset=now&live=sse`;
    this.counts[index] = 0;
    return new Promise((resolve, reject) => {
      let text = '';
      const read = (chunk: string) => {
        if (text === '' && this.counts[index] === 0 && chunk.startsWith('HTTP/1.1 ')) {
          if (chunk.startsWith(ACCEPTED)) resolve();
          else reject(new Error(`a subscriber got ${chunk.slice(9, 12)}`));
        }
        const blocks = (text + chunk).split('\n\n');
        text = blocks.pop() ?? '';
        for (const block of blocks) this.take(index, block);
      };
      const socket = connect({
        host: '127.0.0.1',
        port,
        onread: {
          buffer: shared,
          callback: (length) => {
            read(shared.toString('latin1', 0, length));
            return true;
          },
        },
      });
      this.sockets.push(socket);
      socket.on('error', reject);
      socket.on('close', () => {
        this.ended += 1;
      });
      socket.write(toGetRequest(key, path));
    });
  }

  // A block may begin with the framing of a chunk, or the head of the answer.
  private take(index: number, block: string): void {
    if (!block.includes('\nevent: data\n')) return;
    this.counts[index] = (this.counts[index] ?? 0) + block.split('{"id":"upd_').length - 1;
    const at = block.indexOf('\nid: ') + '\nid: '.length;
    const txid = Number(block.slice(at, at + 16));
    this.delays.add(Date.now() - txid / TXIDS_PER_MS);
  }
}
