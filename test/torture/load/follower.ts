import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '../../support/random.ts';
import type { Seen } from '../history.ts';
import { digest } from './digest.ts';

// Without a word for longer than the heartbeats of the service, it is taken to be gone.
const SILENCE_MS = 20_000;
const RETRY_MS = 100;
const POLL_EVERY = 4;
const STAY_MAX_MS = 12_000;

// biome-ignore lint/suspicious/noExplicitAny: updates are of any shape
type Update = any;

/**
 * Follows a workspace's updates from the beginning, over as many connections as it takes: server-sent events that it breaks off in the
 * middle after a while, and a long poll now and then, at one API process after the other.
 */
export class Follower {
  readonly seen: Seen[] = [];
  readonly workspace: string;
  private readonly urls: readonly string[];
  private readonly key: string;
  private readonly random: Random;
  private readonly onUpdate: (update: Update) => void;
  private readonly stopping = new AbortController();
  private readonly loop: Promise<void>;
  connections = 0;
  lastId = '';

  constructor(options: {
    urls: readonly string[];
    key: string;
    workspace: string;
    seed: number;
    onUpdate: (update: Update) => void;
  }) {
    this.urls = options.urls;
    this.key = options.key;
    this.workspace = options.workspace;
    this.random = new Random(options.seed);
    this.onUpdate = options.onUpdate;
    this.loop = this.run();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.loop;
  }

  private async run(): Promise<void> {
    for (let turn = 0; !this.stopping.signal.aborted; turn += 1) {
      const url = this.urls[turn % this.urls.length] as string;
      const isPoll = turn % POLL_EVERY === POLL_EVERY - 1;
      await this.followOnce(url, isPoll);
      await sleep(RETRY_MS);
    }
  }

  private followOnce(url: string, isPoll: boolean): Promise<void> {
    return new Promise((resolve) => {
      const offset = isPoll && this.lastId !== '' ? this.lastId : '-1';
      const live = isPoll ? 'long-poll' : 'sse';
      const sent = request(`${url}/v1/workspaces/${this.workspace}/updates?offset=${offset}&live=${live}`, {
        agent: false,
        timeout: isPoll ? 2 * SILENCE_MS : SILENCE_MS,
        signal: this.stopping.signal,
        headers: {
          authorization: `Bearer ${this.key}`,
          ...(this.lastId !== '' && !isPoll && { 'last-event-id': this.lastId }),
        },
      });
      const leave = setTimeout(() => sent.destroy(), this.random.below(STAY_MAX_MS));
      sent.on('timeout', () => sent.destroy());
      sent.on('error', () => resolve());
      sent.on('close', () => {
        clearTimeout(leave);
        resolve();
      });
      sent.on('response', (response) => {
        response.on('error', () => undefined);
        if (response.statusCode !== 200) return void response.resume();
        this.connections += 1;
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
          if (!isPoll) text = this.takeBlocks(text);
        });
        response.on('end', () => {
          if (!isPoll || !response.complete) return;
          this.takeUpdates(text);
          this.lastId = String(response.headers['stream-next-offset']);
        });
      });
      sent.end();
    });
  }

  // What is left is the beginning of the next block.
  private takeBlocks(text: string): string {
    const blocks = text.split('\n\n');
    const rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const lines = block.split('\n');
      const data = lines.filter((line) => line.startsWith('data:')).map((line) => line.slice(5));
      if (lines.includes('event: data')) this.takeUpdates(data.join('\n'));
      this.lastId = lines.find((line) => line.startsWith('id: '))?.slice(4) ?? this.lastId;
    }
    return rest;
  }

  private takeUpdates(json: string): void {
    const { workspace } = this;
    for (const update of JSON.parse(json) as Update[]) {
      this.seen.push({ type: 'seen', workspace, offset: update.offset, digest: digest(update) });
      this.onUpdate(update);
    }
  }
}
