import { Cluster, type ClusterOptions, Redis, type RedisOptions } from 'ioredis';
import { every } from '../every.ts';
import { parseRedisAddress, type RedisAddress, type RedisHost } from '../redis-address.ts';

/** A connection to one Redis (itself, or the master that sentinels name), or to all nodes of a cluster. */
export type RedisConnection = Redis | Cluster;

/**
 * What a connection is for decides how it behaves when Redis is away:
 * - `request`: serves someone who waits; fails within two seconds rather than hang
 * - `submit`: puts calls on the queues; fails as fast when Redis is gone, but gives a busy process time to read the answer
 * - `worker`: carries work already accepted; waits for Redis to come back
 * - `state`: a worker's reads and commits; waits as well
 * - `blocking`: sits in one blocking command; never shared
 * - `subscriber`: hears sharded channels; never shared
 */
export type ConnectionRole = 'request' | 'submit' | 'worker' | 'state' | 'blocking' | 'subscriber';

type RoleOptions = Pick<
  RedisOptions,
  'enableOfflineQueue' | 'maxRetriesPerRequest' | 'commandTimeout' | 'socketTimeout'
>;

// A connection that was lost without a word (a firewall that forgot it, a machine that is gone) would else stay for a quarter of an
// hour: one that owes an answer for `socketTimeout` is made anew. No command takes this long; those with which BullMQ's workers
// wait, on copies of `worker`, block for at most ten seconds.
const ROLES = {
  request: {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    commandTimeout: 2_000,
    socketTimeout: 5_000,
  },
  submit: {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    commandTimeout: 8_000,
    socketTimeout: 10_000,
  },
  worker: { maxRetriesPerRequest: null, socketTimeout: 12_000 },
  state: { maxRetriesPerRequest: null, socketTimeout: 8_000 },
  blocking: { maxRetriesPerRequest: null, socketTimeout: 8_000 },
  subscriber: { maxRetriesPerRequest: null, socketTimeout: 5_000 },
} satisfies Record<ConnectionRole, RoleOptions>;

const CONNECT_TIMEOUT_MS = 5_000;

// How often a connection asks for a sign of life, so that its silence says something.
const PING_MS = 2_000;
const FAILOVER_RETRY_MS = 100;
const QUIET_MS = 1_000;
const CLUSTER_PATIENCE_MS = 20_000;

const cuts = new WeakMap<RedisConnection, number>();

// Of a command that finds no node to serve it; with the delay above, those who wait are told within two seconds.
const REDIRECTIONS_WHILE_WAITED_FOR = 16;

/** Opens a connection to an address; it reconnects by itself, and `onError` hears of every failure. */
export function openRedis(
  address: string,
  role: ConnectionRole,
  onError: (error: Error) => void,
): RedisConnection {
  const place = parseRedisAddress(address);
  if (place === null) throw new TypeError('not the address of a Redis');
  const redis = place.kind === 'cluster' ? openCluster(place, role) : openServer(place, role);
  redis.on('error', onError);
  redis.on('node error', nowAndThen(onError));
  for (const event of ['close', 'node error']) redis.on(event, () => cuts.set(redis, cutsOf(redis) + 1));
  return redis;
}

/** How often a connection has been cut so far. */
export function cutsOf(redis: RedisConnection): number {
  return cuts.get(redis) ?? 0;
}

/** Resolves once the connection has been made, or rejects with the first failure. */
export async function untilReady(redis: RedisConnection): Promise<void> {
  if (redis.status === 'ready') return;
  await new Promise<void>((resolve, reject) => {
    // A cluster that can be reached and is not in order makes no error.
    const late =
      redis instanceof Cluster
        ? setTimeout(() => onError(new Error('the cluster is not in order')), CLUSTER_PATIENCE_MS)
        : undefined;
    const settle = (act: () => void) => () => {
      clearTimeout(late);
      redis.off('ready', onReady);
      redis.off('error', onError);
      act();
    };
    const onReady = settle(resolve);
    const onError = (error: Error & { lastNodeError?: Error }) =>
      settle(() => reject(error.lastNodeError ?? error))();
    redis.once('ready', onReady);
    redis.once('error', onError);
  });
}

/** Whether keys lie on several servers. */
export function isCluster(redis: RedisConnection): boolean {
  return redis instanceof Cluster;
}

/** Names what a command may use beside the keys of a workspace: at one server those of all others, in a cluster none. */
export function commandScope(redis: RedisConnection, workspaceId: string): string {
  return redis instanceof Cluster ? workspaceId : '';
}

/** Every server that holds keys: the one there is, or all masters of the cluster. */
export function mastersOf(redis: RedisConnection): Redis[] {
  return redis instanceof Redis ? [redis] : redis.nodes('master');
}

function openServer(place: RedisAddress, role: ConnectionRole): Redis {
  const { enableOfflineQueue = true }: RoleOptions = ROLES[role];
  const isWaitedFor = !enableOfflineQueue;
  const redis = new Redis({
    ...(place.kind === 'sentinel' ? sentinelOptions(place) : serverOptions(place)),
    ...credentialsOf(place),
    db: place.db,
    connectTimeout: CONNECT_TIMEOUT_MS,
    ...ROLES[role],
    retryStrategy: backOff,
    // A replica has taken its master's place: look for the master. Who waits is told, other commands are sent again there.
    reconnectOnError: (error) => error.message.startsWith('READONLY') && (isWaitedFor ? 1 : 2),
  });
  if (role !== 'blocking') keepAsking(redis);
  return redis;
}

function keepAsking(redis: Redis): void {
  const asking = every(PING_MS, () => {
    if (redis.status === 'ready') redis.ping().catch(() => undefined);
  });
  redis.once('end', () => asking.stop());
}

function serverOptions({ hosts, path }: RedisAddress): { path: string } | RedisHost | undefined {
  return path === undefined ? hosts[0] : { path };
}

function sentinelOptions(place: RedisAddress) {
  return {
    sentinels: place.hosts,
    name: place.masterName,
    sentinelUsername: place.sentinelUsername,
    sentinelPassword: place.sentinelPassword,
    enableTLSForSentinelMode: place.tls,
    sentinelRetryStrategy: backOff,
    // Says at once that another is the master now, where a dead one's connections would stay silent.
    failoverDetector: true,
  } satisfies RedisOptions;
}

function openCluster(place: RedisAddress, role: ConnectionRole): Cluster {
  const { enableOfflineQueue = true, ...options }: RoleOptions = ROLES[role];
  const isWaitedFor = !enableOfflineQueue;
  const cluster = new Cluster(place.hosts, {
    redisOptions: {
      ...credentialsOf(place),
      connectTimeout: CONNECT_TIMEOUT_MS,
      ...options,
    },
    enableOfflineQueue,
    maxRedirections: isWaitedFor ? REDIRECTIONS_WHILE_WAITED_FOR : Number.POSITIVE_INFINITY,
    retryDelayOnFailover: FAILOVER_RETRY_MS,
    retryDelayOnClusterDown: FAILOVER_RETRY_MS,
    clusterRetryStrategy: backOff,
    shardedSubscribers: role === 'subscriber',
    // A certificate is for the name, not for the address behind it.
    ...(place.tls && { dnsLookup: (host, answer) => answer(null, host) }),
  } satisfies ClusterOptions);
  // Else the first commands would find the node unconnected.
  if (isWaitedFor) cluster.on('+node', connectMaster);
  return cluster;
}

function connectMaster(node: Redis): void {
  if (!node.options.readOnly) node.connect().catch(() => undefined);
}

function credentialsOf({
  username,
  password,
  tls,
}: RedisAddress): Pick<RedisOptions, 'username' | 'password' | 'tls'> {
  return {
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    ...(tls && { tls: {} }),
  };
}

// While a node of a cluster is away, every command that looks for it fails.
function nowAndThen(onError: (error: Error) => void): (error: Error) => void {
  let quietUntil = 0;
  return (error) => {
    if (performance.now() < quietUntil) return;
    quietUntil = performance.now() + QUIET_MS;
    onError(error);
  };
}

function backOff(attempt: number): number {
  return Math.min(50 * 2 ** Math.min(attempt, 6), 2_000) * (0.5 + Math.random() / 2);
}
