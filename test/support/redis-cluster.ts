import { Redis } from 'ioredis';
import { eventually } from './eventually.ts';
import { startTestRedis, type TestRedis } from './redis.ts';

const SLOTS = 16_384;
const NODE_TIMEOUT_MS = 2_000;

/** A Redis Cluster of a test's own: as many masters as wanted, each with a replica. */
export interface TestCluster extends TestRedis {
  masters: TestRedis[];
  replicas: TestRedis[];
}

/** Starts an empty cluster on loopback; `replicas: false` is quicker to start, for tests that kill nothing. */
export async function startTestCluster({
  masters = 3,
  replicas = true,
  args = [],
}: {
  masters?: number;
  replicas?: boolean;
  args?: string[];
} = {}): Promise<TestCluster> {
  const options = ['--cluster-enabled', 'yes', '--cluster-node-timeout', String(NODE_TIMEOUT_MS), ...args];
  const servers = await Promise.all(
    Array.from({ length: replicas ? masters * 2 : masters }, () =>
      startTestRedis({ args: options, isClusterNode: true }),
    ),
  );
  const clients = servers.map(({ url }) => new Redis(url));
  try {
    await Promise.all(
      clients.map((client, index) =>
        client
          .config('SET', 'cluster-announce-ip', '127.0.0.1')
          .then(() => client.call('CLUSTER', 'SET-CONFIG-EPOCH', index + 1)),
      ),
    );
    const [first, ...others] = clients as [Redis, ...Redis[]];
    for (const other of others) await first.call('CLUSTER', 'MEET', '127.0.0.1', String(other.options.port));
    const bounds = Array.from({ length: masters + 1 }, (_, index) => Math.floor((SLOTS * index) / masters));
    await Promise.all(
      clients
        .slice(0, masters)
        .map((client, index) =>
          client.call(
            'CLUSTER',
            'ADDSLOTSRANGE',
            String(bounds[index]),
            String((bounds[index + 1] as number) - 1),
          ),
        ),
    );
    const ids = await Promise.all(
      clients.map(async (client) => String(await client.call('CLUSTER', 'MYID'))),
    );
    for (const [index, client] of clients.slice(masters).entries()) {
      // A node can only follow one that it has heard of.
      await eventually(() => client.call('CLUSTER', 'REPLICATE', ids[index] as string).catch(() => null));
    }
    await Promise.all(clients.map((client) => eventually(() => isComplete(client, servers.length, masters))));
  } catch (error) {
    await Promise.all(servers.map((server) => server.stop()));
    throw error;
  } finally {
    for (const client of clients) client.disconnect();
  }
  const [seed] = servers as [TestRedis];
  return {
    ...seed,
    url: `redis+cluster://${servers.map(({ port }) => `127.0.0.1:${port}`).join(',')}`,
    masters: servers.slice(0, masters),
    replicas: servers.slice(masters),
    stop: async () => void (await Promise.all(servers.map((server) => server.stop()))),
  };
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
