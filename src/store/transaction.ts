import type { RedisConnection } from '../redis/connections.ts';
import { stateKey } from '../redis/keys.ts';
import { type Update, updateKind } from '../tl/tl-json.ts';
import { encodeJson, Placeholder } from './placeholder.ts';

/** The reading half of a Redis connection: what a method may use to look at its workspace's state. */
export type StateReader = Pick<
  RedisConnection,
  | 'exists'
  | 'hget'
  | 'hmget'
  | 'hgetall'
  | 'hkeys'
  | 'hvals'
  | 'hlen'
  | 'hexists'
  | 'zrange'
  | 'zrevrange'
  | 'zrangebyscore'
  | 'zrevrangebyscore'
  | 'zrangebylex'
  | 'zcard'
  | 'zcount'
  | 'zscore'
  | 'zmscore'
  | 'zrank'
  | 'zrevrank'
  | 'smembers'
  | 'sismember'
  | 'smismember'
  | 'scard'
>;

type KeyType = 'h' | 'z' | 's';
type Argument = string | number;

/** Who an update is for: a messenger account, or a furnished user that has none. */
export interface UpdateTarget {
  messengerAccountId: string | null;
  userId: number;
}

const MAX_WRITES = 500;
const MAX_BYTES = 1024 * 1024;

/** More is asked of one commit than the limits of 500 writes and 1 MiB allow: the method has to do a part. */
export class CommitTooLarge extends Error {
  override name = 'CommitTooLarge';
}

/**
 * What one call wants to change, gathered while its method runs and committed once. Reads go to Redis at once and do not
 * see the transaction's own writes. `key` names are the workspace's own, such as `messages:1000`.
 */
export class Transaction {
  readonly read: StateReader;
  readonly workspaceId: string;
  private readonly keys = new Map<string, { index: number; type: KeyType }>();
  private readonly checks: string[] = [];
  private readonly counters = new Map<string, string[]>();
  private readonly writes: string[] = [];
  private readonly updates: string[] = [];
  private checkCount = 0;
  private counterCount = 0;
  private writeCount = 0;
  private updateCount = 0;

  constructor(redis: StateReader, workspaceId: string) {
    this.read = redis;
    this.workspaceId = workspaceId;
  }

  /** The full Redis key of a name, for reads. */
  key(name: string): string {
    return stateKey(this.workspaceId, name);
  }

  /** Whether committing this would change anything. */
  get isEmpty(): boolean {
    return this.writeCount === 0 && this.counterCount === 0 && this.updateCount === 0;
  }

  /** How many more writes fit. */
  get room(): number {
    return MAX_WRITES - this.writeCount;
  }

  /** Reads a hash field and makes the commit depend on its not having changed. */
  async observe(name: string, field: Argument): Promise<string | null> {
    const value = await this.read.hget(this.key(name), String(field));
    this.expectField(name, field, value);
    return value;
  }

  /** The commit happens only if the hash field then holds `value` (null: is absent). */
  expectField(name: string, field: Argument, value: string | null): void {
    this.check(value === null ? 'h!' : 'h=', name, 'h', field, value ?? '');
  }

  /** The commit happens only if the sorted-set member then has `score` (null: is absent). */
  expectScore(name: string, member: Argument, score: number | string | null): void {
    this.check(score === null ? 'z!' : 'z=', name, 'z', member, score ?? '');
  }

  /** The commit happens only if the member then is, or is not, in the set. */
  expectMember(name: string, member: Argument, present: boolean): void {
    this.check(present ? 's=' : 's!', name, 's', member, '');
  }

  /**
   * Raises a counter (a hash field) by `by` inside the commit. What comes back stands for its new value and may be put into
   * values, members, scores, updates and the result; it cannot be calculated with.
   */
  allocate(name: string, field: Argument, by = 1): number {
    this.counterCount += 1;
    const slot = this.slot(name, 'h');
    const group = this.counters.get(slot) ?? [];
    this.counters.set(slot, group);
    group.push(String(field), String(by), String(this.counterCount));
    return new Placeholder(this.counterCount) as unknown as number;
  }

  /** Sets a hash field; a value that is not a string is stored as JSON. */
  hset(name: string, field: Argument, value: unknown): void {
    this.write('HSET', name, 'h', field, typeof value === 'string' ? value : encodeJson(value));
  }

  hincrby(name: string, field: Argument, by: number): void {
    this.write('HINCRBY', name, 'h', field, by);
  }

  hdel(name: string, field: Argument): void {
    this.write('HDEL', name, 'h', field);
  }

  zadd(name: string, score: number, member: Argument): void {
    this.write('ZADD', name, 'z', score, member);
  }

  zrem(name: string, member: Argument): void {
    this.write('ZREM', name, 'z', member);
  }

  sadd(name: string, member: Argument): void {
    this.write('SADD', name, 's', member);
  }

  srem(name: string, member: Argument): void {
    this.write('SREM', name, 's', member);
  }

  /** Removes a whole key of the given type (h hash, z sorted set, s set). */
  del(name: string, type: KeyType): void {
    this.write('DEL', name, type);
  }

  /** Lets a whole key go after `ms` milliseconds. */
  expire(name: string, type: KeyType, ms: number): void {
    this.write('PEXPIRE', name, type, ms);
  }

  /** Keeps a key that would have expired. */
  persist(name: string, type: KeyType): void {
    this.write('PERSIST', name, type);
  }

  /**
   * Appends an update for one account to the workspace's stream. Unlike in results, `true` flags that are not set are absent:
   * a message has twenty of them, and each would be written, kept and sent to every consumer for every copy.
   */
  update(target: UpdateTarget, update: Update): void {
    this.updateCount += 1;
    const userId = target.messengerAccountId === null ? `${target.userId}` : '';
    this.updates.push(updateKind(update), target.messengerAccountId ?? '', userId, encodeJson(update));
  }

  /** KEYS and ARGV of the commit script from the state keys and the checks on; `types` has a letter for each key. */
  encode(): { keys: string[]; types: string; args: string[] } {
    const keys = [...this.keys.keys()].map((name) => this.key(name));
    const types = [...this.keys.values()].map(({ type }) => type).join('');
    const args = [
      String(this.checkCount),
      ...this.checks,
      String(this.counters.size),
      ...[...this.counters].flatMap(([slot, group]) => [slot, String(group.length / 3), ...group]),
      String(this.writeCount),
      ...this.writes,
      String(this.updateCount),
      ...this.updates,
    ];
    const bytes = args.reduce((sum, arg) => sum + arg.length, 0);
    if (this.writeCount > MAX_WRITES || this.counterCount > MAX_WRITES || bytes > MAX_BYTES) {
      throw new CommitTooLarge(`${this.writeCount} writes, ${bytes} bytes`);
    }
    return { keys, types, args };
  }

  private check(op: string, name: string, type: KeyType, field: Argument, expected: Argument): void {
    this.checkCount += 1;
    this.checks.push(op, this.slot(name, type), String(field), String(expected));
  }

  private write(command: string, name: string, type: KeyType, ...args: Argument[]): void {
    this.writeCount += 1;
    this.writes.push(command, this.slot(name, type), String(args.length), ...args.map((arg) => `${arg}`));
  }

  private slot(name: string, type: KeyType): string {
    const known = this.keys.get(name);
    if (known) {
      if (known.type !== type) throw new TypeError(`${name} is used as ${known.type} and as ${type}`);
      return String(known.index);
    }
    this.keys.set(name, { index: this.keys.size + 1, type });
    return String(this.keys.size);
  }
}
