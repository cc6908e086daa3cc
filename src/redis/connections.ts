import { Cluster, type ClusterOptions, Redis, type RedisOptions } from 'ioredis';
import { every } from '../every.ts';
import { parseRedisAddress, type RedisAddress, type RedisHost } from '../redis-address.ts';
import { type AnswerLimits, limitAnswers } from './answer-limits.ts';
import { ImpatientSentinelConnector } from './sentinel-connector.ts';
import { speedUpStringMethods } from './string-methods.ts';
import { holdCommands, trackLosses } from './until-reconnected.ts';

speedUpStringMethods();

/** A connection to one Redis (directly, or to the master that sentinels name), or to all nodes of a cluster. */
export type RedisConnection = Redis | Cluster;

/**
 * The role of a connection decides what it does while Redis is unreachable:
 * - `request`: for a waiting caller; fails within two seconds
 * - `submit`: puts calls on the queues; fails as fast, but allows 8 s for an answer, because the process may be too busy to read it
 * - `worker`: for accepted work; waits until Redis is back
 * - `state`: a worker's reads and commits; waits too
 * - `blocking`: runs one blocking command; never shared
 * - `subscriber`: receives sharded channels; never shared
 */
export type ConnectionRole = 'request' | 'submit' | 'worker' | 'state' | 'blocking' | 'subscriber';

type RoleOptions = Pick<RedisOptions, 'enableOfflineQueue' | 'maxRetriesPerRequest' | 'socketTimeout'>;

// A connection that was lost silently (a firewall dropped it, a machine is gone) would otherwise stay open for a quarter of an hour. If
// no answer comes within `socketTimeout`, it is opened again. No command takes this long: the blocking commands of BullMQ's workers,
// on copies of `worker`, take at most ten seconds.
const ROLES = {
  request: { enableOfflineQueue: false, maxRetriesPerRequest: 1 },
  submit: { enableOfflineQueue: false, maxRetriesPerRequest: 1 },
  worker: { maxRetriesPerRequest: null, socketTimeout: 12_000 },
  state: { maxRetriesPerRequest: null, socketTimeout: 8_000 },
  blocking: { maxRetriesPerRequest: null, socketTimeout: 8_000 },
  subscriber: { maxRetriesPerRequest: null, socketTimeout: 5_000 },
} satisfies Record<ConnectionRole, RoleOptions>;

// Connections that callers wait for have limits that do not mistake a busy process for a lost connection.
const LIMITS: Partial<Record<ConnectionRole, AnswerLimits>> = {
  request: { answerMs: 2_000, silenceMs: 5_000 },
  submit: { answerMs: 8_000, silenceMs: 10_000 },
};

const CONNECT_TIMEOUT_MS = 5_000;

// A server from which nothing has come for so long is pinged. If nothing comes then either, the connection is lost.
const PING_AFTER_MS = 1_000;
const FAILOVER_RETRY_MS = 100;
const QUIET_MS = 1_000;
const CLUSTER_PATIENCE_MS = 20_000;
const CLOSING_PATIENCE_MS = 10_000;

const disconnects = new WeakMap<RedisConnection, number>();

// For a command that finds no node to serve it. With FAILOVER_RETRY_MS, a waiting caller is answered within two seconds.
const REDIRECTIONS_FOR_CALLERS = 16;

/** Opens a connection to an address. It reconnects by itself and reports every failure to `onError`. */
export function openRedis(
  address: string,
  role: ConnectionRole,
  onError: (error: Error) => void,
): RedisConnection {
  const place = parseRedisAddress(address);
  if (place === null) throw new TypeError('not the address of a Redis');
  const redis = place.kind === 'cluster' ? openCluster(place, role) : openServer(place, role);
  redis.on('error', onError);
  redis.on('node error', atMostOncePerSecond(onError));
  // A cluster's node that closes its connection without an error is removed, and what was sent to it is sent again.
  for (const event of ['close', 'node error', '-node'])
    redis.on(event, () => disconnects.set(redis, disconnectsOf(redis) + 1));
  trackLosses(redis);
  return redis;
}

/** How often a connection has been lost so far. */
export function disconnectsOf(redis: RedisConnection): number {
  return disconnects.get(redis) ?? 0;
}

/** Resolves once connected, or rejects with the first failure. A server that closes its connections fails after ten seconds. */
export async function untilReady(redis: RedisConnection): Promise<void> {
  if (redis.status === 'ready') return;
  const since = performance.now();
  await new Promise<void>((resolve, reject) => {
    // A cluster that is reachable but not in order reports no error.
    const timer =
      redis instanceof Cluster
        ? setTimeout(() => onError(new Error('the cluster is not in order')), CLUSTER_PATIENCE_MS)
        : undefined;
    const settle = (act: () => void) => () => {
      clearTimeout(timer);
      redis.off('ready', onReady);
      redis.off('error', onError);
      redis.off('close', onClose);
      act();
    };
    const onReady = settle(resolve);
    const onError = (error: Error & { lastNodeError?: Error }) =>
      settle(() => reject(error.lastNodeError ?? error))();
    // That a server closes its connections is no error to ioredis. With sentinels, it may be a replica that becomes the master.
    const onClose = () => {
      if (performance.now() - since < CLOSING_PATIENCE_MS) return;
      onError(
        new Error('Connection is closed at once, as by a Redis that expects TLS or is in protected mode'),
      );
    };
    redis.once('ready', onReady);
    redis.once('error', onError);
    if (redis instanceof Redis && !redis.options.sentinels) redis.on('close', onClose);
  });
}

/** Whether keys lie on several servers. */
export function isCluster(redis: RedisConnection): boolean {
  return redis instanceof Cluster;
}

/**
 * The scope of keys that one command may use: on one server those of all workspaces (''), in a cluster those of one workspace (its id).
 */
export function commandScope(redis: RedisConnection, workspaceId: string): string {
  return redis instanceof Cluster ? workspaceId : '';
}

/** Every server that holds keys: the single one, or all masters of the cluster. */
export function mastersOf(redis: RedisConnection): Redis[] {
  return redis instanceof Redis ? [redis] : redis.nodes('master');
}

/** One of the keys on each server that has any, as far as the connection knows who has which slots. */
export function onePerMaster<Key extends { slot: number }>(redis: RedisConnection, keys: Key[]): Key[] {
  if (redis instanceof Redis) return keys.slice(0, 1);
  const byMaster = new Map(keys.map((key) => [redis.slots[key.slot]?.[0], key]));
  return [...byMaster.values()];
}

function openServer(place: RedisAddress, role: ConnectionRole): Redis {
  const limits = LIMITS[role];
  const redis = stayInDatabase(
    new Redis({
      ...(place.kind === 'sentinel' ? sentinelOptions(place) : serverOptions(place)),
      ...credentialsOf(place),
      db: place.db,
      connectTimeout: CONNECT_TIMEOUT_MS,
      ...ROLES[role],
      retryStrategy: backOff,
      // The server has become a replica: look for the master. A waiting caller's command fails (1), others are sent again there (2).
      reconnectOnError: (error) => error.message.startsWith('READONLY') && (limits ? 1 : 2),
    }),
  );
  if (limits) {
    limitAnswers(redis, limits);
    holdCommands(redis);
  }
  if (role !== 'blocking') keepPinging(redis);
  return redis;
}

// A Redis that was started again may have fewer databases. ioredis would go on in the first, which has other data or none. BullMQ works
// with duplicates.
function stayInDatabase(redis: Redis): Redis {
  redis.on('error', (error: Error & { command?: { name: string } }) => {
    if (error.command?.name === 'select') redis.disconnect(true);
  });
  const duplicate = redis.duplicate.bind(redis);
  redis.duplicate = (options) => stayInDatabase(duplicate(options));
  return redis;
}

function keepPinging(redis: Redis): void {
  /** How many bytes had been read at the last check, or by the answer to its ping. */
  let heard = 0;
  const noteHeard = () => {
    heard = redis.stream?.bytesRead ?? 0;
  };
  const asking = every(PING_AFTER_MS, () => {
    if (redis.status !== 'ready') return;
    if (redis.stream.bytesRead === heard) redis.ping().then(noteHeard, () => undefined);
    else noteHeard();
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
    Connector: ImpatientSentinelConnector,
    // The first is for the master, and the second for the sentinels.
    enableTLSForSentinelMode: place.tls,
    ...(place.tls && { sentinelTLS: {} }),
    sentinelRetryStrategy: backOff,
    // Reports a new master at once; connections to a dead one would only stay silent.
    failoverDetector: true,
  } satisfies RedisOptions;
}

function openCluster(place: RedisAddress, role: ConnectionRole): Cluster {
  const { enableOfflineQueue = true, ...options }: RoleOptions = ROLES[role];
  const limits = LIMITS[role];
  const cluster = new Cluster(place.hosts, {
    redisOptions: {
      ...credentialsOf(place),
      connectTimeout: CONNECT_TIMEOUT_MS,
      ...options,
    },
    enableOfflineQueue,
    maxRedirections: limits ? REDIRECTIONS_FOR_CALLERS : Number.POSITIVE_INFINITY,
    retryDelayOnFailover: FAILOVER_RETRY_MS,
    retryDelayOnClusterDown: FAILOVER_RETRY_MS,
    clusterRetryStrategy: backOff,
    shardedSubscribers: role === 'subscriber',
    // Each connection looks up its host itself. Certificates are for host names, not for resolved addresses. And while ioredis looks all of
    // them up, the end of an earlier connection would make it give up for good.
    dnsLookup: (host, answer) => answer(null, host),
  } satisfies ClusterOptions);
  if (role === 'subscriber') renewSubscribers(cluster);
  if (limits) {
    cluster.on('+node', (node: Redis) => {
      limitAnswers(node, limits);
      // Not before: ioredis asks any node whether the cluster is in order, and takes one that is connecting for lost.
      if (cluster.status === 'ready') connectMaster(node);
    });
    // Without an offline queue, the first commands to an unconnected node would fail.
    cluster.on('ready', () => cluster.nodes('master').forEach(connectMaster));
  }
  return cluster;
}

// ioredis waits for ever for a subscriber that it stops while that is connecting, and makes no others meanwhile.
function renewSubscribers(cluster: Cluster): void {
  const disconnect = cluster.disconnect.bind(cluster);
  cluster.disconnect = (again) => {
    disconnect(again);
    // biome-ignore lint/complexity/useLiteralKeys: ioredis has no public way to end that wait
    cluster['shardedSubscribers'].isResetting = false;
  };
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

// While a node of a cluster is unreachable, every command for it fails.
function atMostOncePerSecond(onError: (error: Error) => void): (error: Error) => void {
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
