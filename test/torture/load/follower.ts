import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Seen } from '../history.ts';
import { digest } from './digest.ts';

// Without a word for longer than the heartbeats of the service, it is taken to be gone.
const SILENCE_MS = 20_000;
const RETRY_MS = 100;

// biome-ignore lint/suspicious/noExplicitAny: updates are of any shape
type Update = any;

/** Follows a workspace's updates by server-sent events from the beginning, over as many connections as it takes. */
export class Follower {
  readonly seen: Seen[] = [];
  readonly workspace: string;
  private readonly urls: readonly string[];
  private readonly key: string;
  private readonly onUpdate: (update: Update) => void;
  private readonly stopping = new AbortController();
  private readonly loop: Promise<void>;
  connections = 0;
  /** Answers that were no stream, by status. */
  refusals: Record<string, number> = {};
  lastId = '';

  constructor(
    urls: readonly string[],
    key: string,
    workspace: string,
    onUpdate: (update: Update) => void = () => undefined,
  ) {
    this.urls = urls;
    this.key = key;
    this.workspace = workspace;
    this.onUpdate = onUpdate;
    this.loop = this.run();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.loop;
  }

  private async run(): Promise<void> {
    for (let turn = 0; !this.stopping.signal.aborted; turn += 1) {
      await this.followOnce(this.urls[turn % this.urls.length] as string);
      await sleep(RETRY_MS);
    }
  }

  private followOnce(url: string): Promise<void> {
    return new Promise((resolve) => {
      const path = `/v1/workspaces/${this.workspace}/updates?offset=-1&live=sse`;
      const sent = request(`${url}${path}`, {
        agent: false,
        timeout: SILENCE_MS,
        signal: this.stopping.signal,
        headers: {
          authorization: `Bearer ${this.key}`,
          ...(this.lastId !== '' && { 'last-event-id': this.lastId }),
        },
      });
      sent.on('timeout', () => sent.destroy());
      sent.on('error', () => resolve());
      sent.on('close', () => resolve());
      sent.on('response', (response) => {
        response.on('error', () => undefined);
        if (response.statusCode !== 200) {
          const status = String(response.statusCode);
          this.refusals[status] = (this.refusals[status] ?? 0) + 1;
          response.resume();
          return;
        }
        this.connections += 1;
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => {
          const blocks = (text + chunk).split('\n\n');
          text = blocks.pop() ?? '';
          for (const block of blocks) this.take(block);
        });
      });
      sent.end();
    });
  }

  private take(block: string): void {
    const lines = block.split('\n');
    const data = lines.filter((line) => line.startsWith('data:')).map((line) => line.slice(5));
    if (lines.includes('event: data')) {
      for (const update of JSON.parse(data.join('\n')) as Update[]) {
        const { workspace } = this;
        this.seen.push({ type: 'seen', workspace, offset: update.offset, digest: digest(update) });
        this.onUpdate(update);
      }
    }
    this.lastId = lines.find((line) => line.startsWith('id: '))?.slice(4) ?? this.lastId;
  }
}
