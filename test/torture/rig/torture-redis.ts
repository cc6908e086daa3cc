import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { eventually } from '../../support/eventually.ts';
import { findFreePort } from '../../support/free-port.ts';
import { startTestRedis, type TestRedis } from '../../support/redis/redis.ts';

// Without a disk's slow moments: while Redis waits for one it answers before it writes, and a kill then loses what was answered.
const FAST_FOLDER = '/dev/shm';

/** A Redis that appends every write to a file and is started again on that file. */
export class TortureRedis {
  readonly port: number;
  private readonly folder: string;
  private server: TestRedis;
  private readonly admin: Redis;

  private constructor(folder: string, server: TestRedis) {
    this.folder = folder;
    this.server = server;
    this.port = server.port;
    this.admin = new Redis(this.server.url, { maxRetriesPerRequest: 0, enableOfflineQueue: false });
    this.admin.on('error', () => undefined);
  }

  static async start(): Promise<TortureRedis> {
    const parent = existsSync(FAST_FOLDER) ? FAST_FOLDER : tmpdir();
    const folder = await mkdtemp(join(parent, 'switchboard-torture-redis-'));
    // Below the range of the system: who looks for the server while it is away would be connected to itself.
    const port = await findFreePort();
    return new TortureRedis(folder, await startTestRedis({ args: argsFor(folder), port }));
  }

  /** Sends the server's process a signal. */
  signal(signal: NodeJS.Signals): void {
    try {
      process.kill(this.server.pid, signal);
    } catch {
      // It has ended already.
    }
  }

  /** Waits until the server has ended, and starts it again on its folder. */
  async restart(): Promise<void> {
    const { pid } = this.server;
    await eventually(() => !isAlive(pid));
    await this.server.stop();
    this.server = await startTestRedis({ args: argsFor(this.folder), port: this.port });
  }

  /** Sends a command past all proxies; one that cannot be sent now is not sent. */
  async command(name: string, ...args: string[]): Promise<void> {
    await this.admin.call(name, ...args).catch(() => undefined);
  }

  async stop(): Promise<void> {
    this.admin.disconnect();
    this.signal('SIGCONT');
    await this.server.stop();
    await rm(this.folder, { recursive: true, force: true });
  }
}

function argsFor(folder: string): string[] {
  return ['--appendonly', 'yes', '--appendfsync', 'everysec', '--dir', folder];
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
