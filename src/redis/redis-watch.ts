import { every, type Repeated } from '../every.ts';
import { type Logger, muteErrors } from '../logger.ts';
import { type ConnectionRole, mastersOf, openRedis, type RedisConnection } from './connections.ts';
import { isPasswordRefused, isRedisUnavailable } from './failure.ts';

const POLL_MS = 500;
// The first attempt to reconnect usually fails with the reason.
const PATIENCE_MS = 1_000;
// Commands that waited for Redis may fail a little after it is back.
const AFTERMATH_MS = 3_000;

/**
 * Opens the connections of a process. Logs one line when Redis is lost and one when it is back, however many connections report it. In
 * between, errors that only say that Redis is away are not logged.
 */
export class RedisWatch {
  private readonly address: string;
  private readonly log: Logger;
  private readonly connections = new Set<RedisConnection>();
  private lostAt: number | null = null;
  private isSaid = false;
  private isRefusalSaid = false;
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
    if (!isRedisUnavailable(error)) this.log.warn({ err: error }, 'Redis connection failed');
    // Before its first success, the start itself fails and says why.
    else if (this.connections.has(redis)) {
      this.lose();
      if (isPasswordRefused(error)) this.sayRefused(error.message);
      else this.say(error.message || (error as NodeJS.ErrnoException).code);
    }
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

  private check(): void {
    const forMs = Math.round(performance.now() - (this.lostAt ?? 0));
    if ([...this.connections].every(isUp)) {
      if (this.isSaid) this.log.info({ forMs }, 'Redis is back');
      this.lostAt = null;
      this.quietUntil = performance.now() + AFTERMATH_MS;
      void this.polling?.stop();
    } else if (forMs > PATIENCE_MS) this.say();
  }
}

// Some connections to nodes of a cluster are opened when they are first needed.
function isUp(redis: RedisConnection): boolean {
  return (
    redis.status === 'ready' &&
    mastersOf(redis).every(({ status }) => status === 'ready' || status === 'wait')
  );
}
