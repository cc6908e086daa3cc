import { every, type Repeated } from '../every.ts';
import { type Logger, muteErrors } from '../logger.ts';
import { type ConnectionRole, isCluster, mastersOf, openRedis, type RedisConnection } from './connections.ts';
import { isPasswordRefused, isRedisUnavailable } from './failure.ts';

const POLL_MS = 500;
// The first attempt to reconnect usually fails with the reason.
const PATIENCE_MS = 1_000;
// While a master of a cluster is dead, the others serve, and an error of its own comes every second or so.
const CLUSTER_QUIET_MS = 3_000;
const STOOD_STILL_MS = 1_500;
// Commands that waited for Redis may fail a little after it is back.
const AFTERMATH_MS = 3_000;
// Messages may name ports, and so differ each time.
const FAILURES_MAX = 10;
// A lasting failure comes every second or so.
const FAILURES_FORGOTTEN_MS = 60_000;

/**
 * Opens the connections of a process. Logs one line when Redis is lost and one when it is back, however many connections report it. In
 * between, errors that only say that Redis is away are not logged.
 */
export class RedisWatch {
  private readonly address: string;
  private readonly log: Logger;
  private readonly connections = new Set<RedisConnection>();
  private lostAt: number | null = null;
  /** Since when all connections are up, as far as is known. */
  private upAt: number | null = null;
  private checkedAt = 0;
  private isSaid = false;
  private isRefusalSaid = false;
  /** What fails in another way and was said, such as a certificate that has expired. */
  private readonly failures = new Set<string>();
  private failedAt = 0;
  private quietUntil = 0;
  private polling: Repeated | undefined;

  constructor(address: string, log: Logger) {
    this.address = address;
    this.log = log;
    const isQuiet = () => this.lostAt !== null || performance.now() < this.quietUntil;
    muteErrors((error) => isQuiet() && isRedisUnavailable(error));
  }

  open(role: ConnectionRole): RedisConnection {
    const redis = openRedis(this.address, role, (error) => this.recordError(redis, error));
    redis.once('ready', () => {
      this.connections.add(redis);
      redis.on('close', () => {
        if (redis.status !== 'end') this.lose();
      });
    });
    redis.once('end', () => this.connections.delete(redis));
    return redis;
  }

  private recordError(redis: RedisConnection, error: Error): void {
    const wasUp = this.connections.has(redis);
    const isUnavailable = isRedisUnavailable(error);
    // One node of a cluster may fail in another way while the others serve.
    if (wasUp && (isUnavailable || redis.status !== 'ready')) this.lose();
    if (wasUp && isUnavailable) this.upAt = null;
    if (!isUnavailable) this.sayFailure(error);
    // Before its first success, the start itself fails and says why.
    else if (!wasUp) return;
    else if (isPasswordRefused(error)) this.sayRefused(error.message);
    else this.say(error.message || (error as NodeJS.ErrnoException).code);
  }

  private lose(): void {
    if (this.lostAt !== null) return;
    this.lostAt = performance.now();
    this.isSaid = false;
    this.isRefusalSaid = false;
    this.polling = every(POLL_MS, () => this.check());
  }

  private say(reason = 'the connection was closed'): void {
    if (this.isSaid) return;
    this.isSaid = true;
    this.log.warn({ reason }, 'Redis is away: calls wait or fail until it is back');
  }

  // Even if Redis was said to be away: without another password that does not pass.
  private sayRefused(reason: string): void {
    if (this.isRefusalSaid) return;
    this.isSaid = true;
    this.isRefusalSaid = true;
    this.log.error({ reason }, 'Redis refuses the password: correct REDIS_URL, or the password in Redis');
  }

  private sayFailure(error: Error): void {
    const now = performance.now();
    if (now - this.failedAt > FAILURES_FORGOTTEN_MS) this.failures.clear();
    this.failedAt = now;
    if (this.failures.has(error.message) || this.failures.size >= FAILURES_MAX) return;
    this.failures.add(error.message);
    this.isSaid = true;
    this.log.warn({ err: error }, 'Redis connection failed');
  }

  private check(): void {
    const now = performance.now();
    const lostAt = this.lostAt ?? now;
    const connections = [...this.connections];
    const isAllUp = connections.every(isUp);
    // While this process stood still, no error could come.
    if (now - this.checkedAt > STOOD_STILL_MS) this.upAt = null;
    this.checkedAt = now;
    this.upAt = isAllUp ? (this.upAt ?? now) : null;
    if (this.upAt !== null && now - this.upAt >= (connections.some(isCluster) ? CLUSTER_QUIET_MS : 0)) {
      if (this.isSaid) this.log.info({ forMs: Math.round(this.upAt - lostAt) }, 'Redis is back');
      this.lostAt = null;
      this.upAt = null;
      this.quietUntil = now + AFTERMATH_MS;
      void this.polling?.stop();
    } else if (!isAllUp && now - lostAt > PATIENCE_MS) this.say();
  }
}

// Some connections to nodes of a cluster are opened when they are first needed.
function isUp(redis: RedisConnection): boolean {
  return (
    redis.status === 'ready' &&
    mastersOf(redis).every(({ status }) => status === 'ready' || status === 'wait')
  );
}
