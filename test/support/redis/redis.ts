import { spawn } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findRedisServer } from '../../../src/launch/private-redis/find-redis-server.ts';
import { findFreePort } from '../free-port.ts';

// Runs a server on a folder until standard input closes, which it does when the test process ends, even by SIGKILL.
const KEEPER = `dir=$1; shift; exec 3<&0; "$@" 3<&- & server=$!; echo "pid $server"
{ cat <&3; kill -9 $server; } >/dev/null 2>&1 &
{ wait $server; } 2>/dev/null; kill $! 2>/dev/null; rm -rf "$dir"`;

// The second is what a sentinel says.
const READY = /Ready to accept connections|Sentinel ID is/;

// To look for it starts several processes.
let server: Promise<string> | undefined;

/** A Redis of a test's own. */
export interface TestRedis {
  url: string;
  port: number;
  /** The process of the server itself, for tests that stop or kill it. */
  pid: number;
  stop(): Promise<void>;
}

/**
 * Starts an empty Redis for one test file: nothing in it is anyone else's, and it ends with the test process, however that ends.
 * `args` are options of redis-server, such as `['--appendonly', 'yes']`; it keeps nothing on disk by default.
 */
export async function startTestRedis({
  args = [],
  port,
  configFile,
}: {
  args?: string[];
  /** What a sentinel keeps its settings in. */
  configFile?: string;
  /** A port of the test's own, for a server that takes another's place. */
  port?: number;
} = {}): Promise<TestRedis> {
  server ??= findRedisServer(() => {});
  const command = await server;
  for (let attempt = 1; ; attempt++) {
    const redis = await tryStart(
      [command, ...(configFile ? [configFile] : [])],
      args,
      port ?? (await findFreePort()),
    );
    if (redis) return redis;
    // A server that was killed there may not have let go of it yet.
    if (port !== undefined) await new Promise((resolve) => setTimeout(resolve, 200));
    if (attempt === (port === undefined ? 5 : 50))
      throw new Error(`${command} did not start with ${args.join(' ')}.`);
  }
}

/** Null if the server ended at once, as it does when another process was faster to take the port. */
async function tryStart(command: string[], args: string[], port: number): Promise<TestRedis | null> {
  const dir = await mkdtemp(join(tmpdir(), 'switchboard-test-redis-'));
  const options = ['--port', String(port), '--bind', '127.0.0.1', '--dir', dir, '--save', '', ...args];
  const child = spawn('sh', ['-c', KEEPER, 'sh', dir, ...command, ...options], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const pid = await new Promise<number | null>((resolve) => {
    let text = '';
    child.stdout.on('data', (chunk) => {
      if (READY.test(text)) return;
      text += chunk;
      if (READY.test(text)) resolve(Number(text.match(/^pid (\d+)/m)?.[1]));
    });
    child.stdout.once('end', () => resolve(null));
  });
  const stop = async () => {
    child.stdin.destroy();
    await ended;
  };
  if (pid === null) {
    await stop();
    return null;
  }
  return { url: `redis://127.0.0.1:${port}`, port, pid, stop };
}
