import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Cluster, Redis } from 'ioredis';
import { eventually } from '../eventually.ts';
import { findFreePort } from '../free-port.ts';
import { startTestRedis, type TestRedis } from './redis.ts';

const SLOTS = 16_384;
// A node speaks with the others on the port this much above its own.
const BUS_OFFSET = 10_000;
const NODE_TIMEOUT_MS = 2_000;

/** A Redis Cluster of a test's own: as many masters as wanted, each with a replica. */
export interface TestCluster extends TestRedis {
  masters: TestRedis[];
  replicas: TestRedis[];
  /** Starts the masters again, with their ports and slots, after a test has killed them. */
  revive(): Promise<void>;
}

/**
 * Starts an empty cluster on loopback; `replicas: false` is quicker to start, for tests that kill nothing. With `announce` clients
 * are sent to the port it gives for that of a node.
 */
export async function startTestCluster(options: ClusterOptions = {}): Promise<TestCluster> {
  for (let attempt = 1; ; attempt++) {
    const cluster = await tryStart(options);
    if (cluster) return cluster;
    if (attempt === 5) throw new Error('a port of the cluster was taken by another process every time');
  }
}

interface ClusterOptions {
  masters?: number;
  replicas?: boolean;
  args?: string[];
  announce?: (port: number) => Promise<number>;
}

/** Null if another process was faster to take a port. */
async function tryStart({
  masters = 3,
  replicas = true,
  args = [],
  announce = async (port) => port,
}: ClusterOptions): Promise<TestCluster | null> {
  const count = replicas ? masters * 2 : masters;
  const dir = await mkdtemp(join(tmpdir(), 'switchboard-test-cluster-'));
  const ports = await Promise.all(Array.from({ length: count }, () => findFreePort()));
  const announced = await Promise.all(ports.map(announce));
  const files = ports.map((_, index) => join(dir, `nodes-${index}.conf`));
  await Promise.all(
    files.map((file, index) => writeFile(file, describeNodes(ports, announced, masters, index))),
  );
  const start = (port: number, index: number) => {
    const cluster = ['--cluster-enabled', 'yes', '--cluster-config-file', files[index] as string];
    const times = ['--cluster-node-timeout', String(NODE_TIMEOUT_MS), '--repl-diskless-sync-delay', '0'];
    // A replica counts once its master has sent it something.
    const pings = ['--repl-ping-replica-period', '1'];
    const told = ['--cluster-announce-port', String(announced[index])];
    return startTestRedis({ args: [...cluster, ...times, ...pings, ...told, ...args], port });
  };
  const started = await Promise.allSettled(ports.map(start));
  const servers = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const stop = async () => {
    await Promise.all(servers.map((server) => server.stop()));
    await rm(dir, { recursive: true, force: true });
  };
  if (servers.length < count) {
    await stop();
    return null;
  }
  const clients = servers.map(({ url }) => new Redis(url));
  try {
    await Promise.all(
      clients.map((client) => eventually(() => isComplete(client, count, masters), { timeoutMs: 30_000 })),
    );
  } catch (error) {
    await stop();
    throw error;
  } finally {
    for (const client of clients) client.disconnect();
  }
  const [seed] = servers as [TestRedis];
  return {
    ...seed,
    url: `redis+cluster://${announced.map((port) => `127.0.0.1:${port}`).join(',')}`,
    masters: servers.slice(0, masters),
    replicas: servers.slice(masters),
    revive: async () => {
      servers.push(...(await Promise.all(ports.slice(0, masters).map(start))));
    },
    stop,
  };
}

/** What a node knows when it starts: written down here, it need not be learnt by gossip. */
function describeNodes(ports: number[], announced: number[], masters: number, self: number): string {
  const bounds = Array.from({ length: masters + 1 }, (_, index) => Math.floor((SLOTS * index) / masters));
  const lines = ports.map((port, index) => {
    const isMaster = index < masters;
    const flags = `${index === self ? 'myself,' : ''}${isMaster ? 'master' : 'slave'}`;
    const follows = isMaster ? '-' : nodeId(index - masters);
    const slots = isMaster ? ` ${bounds[index]}-${(bounds[index + 1] as number) - 1}` : '';
    const epoch = (index % masters) + 1;
    return `${nodeId(index)} 127.0.0.1:${announced[index]}@${port + BUS_OFFSET} ${flags} ${follows} 0 0 ${epoch} connected${slots}`;
  });
  return `${lines.join('\n')}\nvars currentEpoch ${masters} lastVoteEpoch 0\n`;
}

function nodeId(index: number): string {
  return String(index + 1).padStart(40, '0');
}

/** Whether a node sees all slots served, all nodes, and every replica in step with its master. */
async function isComplete(client: Redis, nodes: number, masters: number): Promise<boolean> {
  const info = String(await client.call('CLUSTER', 'INFO'));
  if (!info.includes('cluster_state:ok') || !info.includes(`cluster_known_nodes:${nodes}`)) return false;
  const slots = (await client.call('CLUSTER', 'SLOTS')) as unknown[][];
  if (slots.length !== masters || slots.some((slot) => slot.length !== (nodes > masters ? 4 : 3)))
    return false;
  const replication = await client.info('replication');
  return replication.includes('role:master') || replication.includes('master_link_status:up');
}

/** The servers that hold keys at the start: the one there is, or all masters of a cluster. */
export function serversOf(redis: TestRedis): TestRedis[] {
  return 'masters' in redis ? (redis as TestCluster).masters : [redis];
}

/** The server that is the master of a key now. */
export async function findMasterOf(cluster: TestCluster, key: string): Promise<TestRedis> {
  const client = new Cluster(cluster.masters.map(({ port }) => ({ host: '127.0.0.1', port })));
  try {
    const slot = Number(await client.cluster('KEYSLOT', key));
    const ranges = (await client.cluster('SLOTS')) as unknown as [number, number, [string, number]][];
    const port = ranges.find(([from, to]) => from <= slot && slot <= to)?.[2][1];
    const found = [...cluster.masters, ...cluster.replicas].find((server) => server.port === port);
    if (found === undefined) throw new Error(`nobody serves ${key}`);
    return found;
  } finally {
    client.disconnect();
  }
}
