import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { eventually } from '../eventually.ts';
import { findFreePort } from '../free-port.ts';
import { startTestRedis, type TestRedis } from './redis.ts';

const SENTINELS = 3;
const QUORUM = 2;
const DOWN_AFTER_MS = 2_000;
const FAILOVER_TIMEOUT_MS = 5_000;
// A sentinel that has stood still for two seconds with the machine would else do nothing for half a minute.
const TILT_MS = 1_000;

/** A master, its replica and the sentinels that watch them, of a test's own. */
export interface TestSentinels extends TestRedis {
  master: TestRedis;
  replica: TestRedis;
  sentinels: TestRedis[];
}

/** Starts an empty master with a replica, and three sentinels on loopback. */
export async function startTestSentinels(): Promise<TestSentinels> {
  const quick = ['--repl-diskless-sync-delay', '0', '--repl-ping-replica-period', '1'];
  const master = await startTestRedis({ args: quick });
  const replica = await startTestRedis({ args: ['--replicaof', '127.0.0.1', String(master.port), ...quick] });
  const dir = await mkdtemp(join(tmpdir(), 'switchboard-test-sentinel-'));
  const sentinels: TestRedis[] = [];
  const stop = async () => {
    await Promise.all([...sentinels, master, replica].map((server) => server.stop()));
    await rm(dir, { recursive: true, force: true });
  };
  try {
    for (let index = 0; index < SENTINELS; index += 1) {
      const file = join(dir, `sentinel-${index}.conf`);
      await writeFile(
        file,
        `sentinel monitor main 127.0.0.1 ${master.port} ${QUORUM}
sentinel down-after-milliseconds main ${DOWN_AFTER_MS}
sentinel failover-timeout main ${FAILOVER_TIMEOUT_MS}
`,
      );
      sentinels.push(
        await startTestRedis({ args: ['--sentinel'], configFile: file, port: await findFreePort() }),
      );
    }
    await Promise.all([untilInStep(replica.url), ...sentinels.map(({ url }) => untilComplete(url))]);
  } catch (error) {
    await stop();
    throw error;
  }
  const hosts = sentinels.map(({ port }) => `127.0.0.1:${port}`).join(',');
  return { ...master, url: `redis+sentinel://${hosts}/main`, master, replica, sentinels, stop };
}

/** Resolves once a replica has what its master has: one promoted before that would begin with nothing. */
async function untilInStep(url: string): Promise<void> {
  const client = new Redis(url);
  try {
    await eventually(async () => (await client.info('replication')).includes('master_link_status:up'), {
      timeoutMs: 30_000,
    });
  } finally {
    client.disconnect();
  }
}

/** Resolves once a sentinel knows the replica and is connected to the others, and soon goes on after it has stood still. */
async function untilComplete(url: string): Promise<void> {
  const client = new Redis(url);
  try {
    await client.call('SENTINEL', 'DEBUG', 'tilt-period', String(TILT_MS));
    await eventually(
      async () => {
        const fields = (await client.call('SENTINEL', 'MASTER', 'main')) as string[];
        const found = (name: string) => Number(fields[fields.indexOf(name) + 1]);
        if (found('num-other-sentinels') < SENTINELS - 1 || found('num-slaves') < 1) return false;
        return !String(await client.call('SENTINEL', 'SENTINELS', 'main')).includes('disconnected');
      },
      { timeoutMs: 30_000 },
    );
  } finally {
    client.disconnect();
  }
}
