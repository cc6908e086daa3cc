import { type ClientRequest, request } from 'node:http';
import { Samples } from '../load/samples.ts';

// A txid is at least Redis' milliseconds times this.
const TXIDS_PER_MS = 2_048;

/** Readers of one workspace's updates by server-sent events, each on a connection of its own; they count and do not keep. */
export class Subscribers {
  /** From the commit, by Redis' clock, until an event arrived. */
  readonly delays = new Samples();
  private readonly counts: number[] = [];
  private readonly requests: ClientRequest[] = [];
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
    for (const sent of this.requests.splice(0)) sent.destroy();
  }

  private openOne(index: number, port: number, workspaceId: string, key: string): Promise<void> {
    const path = `/v1/workspaces/${workspaceId}/updates?offset=now&live=sse`;
    const headers = { authorization: `Bearer ${key}` };
    this.counts[index] = 0;
    return new Promise((resolve, reject) => {
      const sent = request({ port, host: '127.0.0.1', path, headers, agent: false }, (response) => {
        if (response.statusCode !== 200) return reject(new Error(`a subscriber got ${response.statusCode}`));
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => {
          const blocks = (text + chunk).split('\n\n');
          text = blocks.pop() ?? '';
          for (const block of blocks) this.take(index, block);
        });
        response.on('close', () => {
          this.ended += 1;
        });
        resolve();
      });
      sent.on('error', reject);
      this.requests.push(sent);
      sent.end();
    });
  }

  private take(index: number, block: string): void {
    if (!block.includes('\nevent: data\n')) return;
    this.counts[index] = (this.counts[index] ?? 0) + block.split('{"id":"upd_').length - 1;
    const txid = Number(block.slice('id: '.length, 'id: '.length + 16));
    this.delays.add(Date.now() - txid / TXIDS_PER_MS);
  }
}
