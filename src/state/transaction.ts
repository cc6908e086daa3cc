import type { CallEventKind } from '../call-events.ts';
import { type Update, updateKind } from '../tl/tl-json.ts';
import type { StateReader } from './batch-reads.ts';
import { checkNumber } from './check-number.ts';
import { ARGUMENT_COUNTS, CHECKS, CREATING_WRITES, WRITES } from './commit-commands.ts';
import { CommitTooLarge, MAX_CHARACTERS, MAX_UPDATES, MAX_WRITES } from './commit-limits.ts';
import { type Counters, newCounters, raiseCounter } from './counters.ts';
import { encodeJson, lengthOf, Placeholder, type Template, toTemplate } from './placeholder.ts';
import type { KeyType } from './state-key.ts';
import { TransactionKeys } from './transaction-keys.ts';
import type { Argument, EncodedTransaction, PendingUpdate, UpdateTarget } from './transaction-types.ts';

// The placeholder number of a counter whose new value is not used.
const UNUSED = 0;

const MAX_RUN = 100;

const NO_CHANGES: ReadonlyMap<string, string | null> = new Map();

/**
 * Collects the changes of one call while its method runs; they are committed once. Reads go to Redis at once and do not see the
 * transaction's own writes. Keys are given by their names within the workspace, such as `messages:1000`.
 */
export class Transaction {
  readonly read: StateReader;
  readonly workspaceId: string;
  private readonly keys: TransactionKeys;
  private readonly checks: Argument[] = [];
  private readonly counters: Counters[] = [];
  private readonly texts: Argument[] = [];
  private readonly writes: Argument[] = [];
  private readonly updates: Argument[] = [];
  /** The TL updates so far, without call events. */
  readonly pendingUpdates: PendingUpdate[] = [];
  /** How many characters of what is stored the method has read, as far as it counts them. */
  charactersRead = 0;
  private placeholders = 0;
  private checkCount = 0;
  private counterCount = 0;
  private textCount = 0;
  private writeCount = 0;
  /** How many characters the commit has so far. */
  size = 0;

  constructor(redis: StateReader, workspaceId: string) {
    this.read = redis;
    this.workspaceId = workspaceId;
    this.keys = new TransactionKeys(redis, workspaceId);
  }

  /** The full Redis key of a name, for reads. */
  key(name: string): string {
    return this.keys.find(name).key;
  }

  /** Whether committing this would change anything. */
  get isEmpty(): boolean {
    return this.writeCount === 0 && this.counterCount === 0 && this.updates.length === 0;
  }

  /** How many more writes fit into the commit. */
  get writesLeft(): number {
    return MAX_WRITES - this.writeCount;
  }

  /** How many more counters the commit can raise. */
  get countersLeft(): number {
    return MAX_WRITES - this.counterCount;
  }

  /** How many more updates fit into the commit. */
  get updatesLeft(): number {
    return MAX_UPDATES - this.updates.length / 5;
  }

  /** Whether no commit holds all of this, even before its reply. */
  get isTooLarge(): boolean {
    return Math.min(this.writesLeft, this.countersLeft, this.updatesLeft, MAX_CHARACTERS - this.size) < 0;
  }

  /** How many writes, raised counters and updates the commit has. */
  get changes(): number {
    return this.writeCount + this.counterCount + this.updates.length / 5;
  }

  /** Reads a hash field. The commit passes only if the field has not changed. */
  async observe(name: string, field: Argument): Promise<string | null> {
    const value = await this.read.hget(this.key(name), String(field));
    this.expectField(name, field, value);
    return value;
  }

  /** The commit passes only if the hash field holds `value` (null: is absent). */
  expectField(name: string, field: Argument, value: string | null): void {
    this.check(value === null ? 'h!' : 'h=', name, 'h', field, value ?? '');
  }

  /** The commit passes only if the sorted-set member has `score` (null: is absent). */
  expectScore(name: string, member: Argument, score: number | string | null): void {
    this.check(score === null ? 'z!' : 'z=', name, 'z', member, score ?? '');
  }

  /** The commit passes only if the member is, or is not, in the set. */
  expectMember(name: string, member: Argument, present: boolean): void {
    this.check(present ? 's=' : 's!', name, 's', member, '');
  }

  /**
   * Raises a counter (a hash field) by `by` inside the commit. Returns a placeholder for its new value, which may be used in values,
   * members, scores, updates and the result; it cannot be calculated with.
   */
  allocate(name: string, field: Argument, by = 1): number {
    this.placeholders += 1;
    this.raise(name, field, by, this.placeholders);
    return new Placeholder(this.placeholders) as unknown as number;
  }

  /** Returns a placeholder for a value that is written in several places, so that it is encoded and sent once. Use it only within JSON. */
  share<T extends object>(value: T): T {
    return new Placeholder(this.addText(encodeJson(value)), value) as unknown as T;
  }

  /** Sets a hash field; a value that is not a string is stored as JSON. */
  hset(name: string, field: Argument, value: unknown): void {
    this.write('HSET', name, 'h', field, typeof value === 'string' ? value : encodeJson(value));
  }

  /** Raises a counter like `allocate`, if its new value is not needed. Counters are raised before all other writes. */
  hincrby(name: string, field: Argument, by: number): void {
    this.raise(name, field, by, UNUSED);
  }

  hdel(name: string, field: Argument): void {
    this.write('HDEL', name, 'h', field);
  }

  zadd(name: string, score: number, member: number | Template): void {
    checkNumber(name, score);
    this.write('ZADD', name, 'z', score, member);
  }

  /** Adds up to 100 consecutive integers, each as its own score; `last` is the highest. Counts as one write. */
  zaddRun(name: string, last: number, size: number): void {
    if (size < 1 || size > MAX_RUN) throw new RangeError(`${size} numbers for ${name}`);
    this.write('ZADDRUN', name, 'z', last, String(size));
  }

  /** Keeps the highest `most` members of a sorted set, for `ms` milliseconds. A commit removes up to 100 others. Counts as one write. */
  zkeep(name: string, most: number, ms: number): void {
    this.write('ZKEEP', name, 'z', String(most), String(ms));
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

  /** Makes a key expire after `ms` milliseconds. */
  expire(name: string, type: KeyType, ms: number): void {
    checkNumber(name, ms);
    this.write('PEXPIRE', name, type, ms);
  }

  /** Removes a key's expiry. */
  persist(name: string, type: KeyType): void {
    this.write('PERSIST', name, type);
  }

  /**
   * Appends an update for one account to the workspace's stream. Unlike in results, `true` flags that are not set are absent:
   * a message has twenty of them, and each would be written, kept and sent to every consumer for every copy.
   */
  update(target: UpdateTarget, update: Update): void {
    const userId = target.messengerAccountId === null ? `${target.userId}` : '';
    this.append(updateKind(update), target.messengerAccountId ?? '', userId, encodeJson(update));
    this.pendingUpdates.push({ target, update, at: this.updates.length - 1 });
  }

  /** Attaches JSON to some of the pending updates: the users and chats that they mention. It is sent once. */
  mention(updates: readonly PendingUpdate[], json: string): void {
    for (const { at } of updates) this.updates[at] = json;
    this.size += json.length;
  }

  /** The pending new values of a hash's fields, as text; null for fields to be deleted. */
  changesOf(name: string): ReadonlyMap<string, string | null> {
    const { writes } = this;
    const wanted = this.keys.indexOf(name);
    if (wanted === 0) return NO_CHANGES;
    const changes = new Map<string, string | null>();
    for (let at = 0; at < writes.length; at += 2 + (ARGUMENT_COUNTS[writes[at] as number] as number)) {
      if (writes[at + 1] !== wanted) continue;
      if (writes[at] === WRITES.HSET) changes.set(String(writes[at + 2]), String(writes[at + 3]));
      if (writes[at] === WRITES.HDEL) changes.set(String(writes[at + 2]), null);
    }
    return changes;
  }

  /** Appends a call event (not a TL update), as JSON made by `encodeJson`. */
  event(kind: CallEventKind, messengerAccountId: string, json: Template): void {
    this.append(kind, messengerAccountId, '', json);
  }

  /** Encodes the transaction and the call's reply for the commit script. Throws `CommitTooLarge`. */
  encode(reply: Template): EncodedTransaction {
    const { size } = this;
    const { keys, types, writes, isAddedTo } = this.keys;
    const updates = this.updates.length / 5;
    if (this.isTooLarge)
      throw new CommitTooLarge(`${this.writeCount} writes, ${updates} updates, ${size} characters`);
    const replyArgument = this.refer(reply);
    const args: Argument[][] = [[this.checkCount], this.checks, [this.counters.length]];
    for (const { key, fields, raises } of this.counters) args.push([key, fields.length], fields, raises);
    args.push([this.textCount], this.texts, [this.writeCount], this.writes, [updates], this.updates);
    return { keys, types, writes, isAddedTo, reply: replyArgument, args, size, updates };
  }

  private check(
    check: keyof typeof CHECKS,
    name: string,
    type: KeyType,
    field: Argument,
    expected: Argument,
  ): void {
    const value = String(expected).toWellFormed();
    this.checkCount += 1;
    this.checks.push(CHECKS[check], this.keys.indexFor(name, type), String(field).toWellFormed(), value);
    this.size += value.length;
  }

  private raise(name: string, field: Argument, by: number, placeholder: number): void {
    const key = this.keys.indexFor(name, 'h');
    let group = this.counters.find((counters) => counters.key === key);
    if (group === undefined) {
      group = newCounters(key);
      this.counters.push(group);
      this.keys.countWrite(key, true);
    }
    raiseCounter(group, String(field).toWellFormed(), by, placeholder);
    this.counterCount += 1;
  }

  private write(
    write: keyof typeof WRITES,
    name: string,
    type: KeyType,
    first?: number | Template,
    second?: number | Template,
  ): void {
    const key = this.keys.indexFor(name, type);
    this.writeCount += 1;
    this.keys.countWrite(key, CREATING_WRITES.has(write));
    this.writes.push(WRITES[write], key);
    if (first !== undefined) this.writes.push(this.argumentOf(first));
    if (second !== undefined) this.writes.push(this.argumentOf(second));
  }

  private append(kind: string, messengerAccountId: string, userId: string, json: Template): void {
    this.updates.push(kind, messengerAccountId, userId, this.refer(json), '');
  }

  private argumentOf(value: number | Template): Argument {
    // A placeholder has the type of the number that it stands for.
    return (value as unknown) instanceof Placeholder
      ? (value as unknown as Placeholder).index
      : this.refer(toTemplate(value));
  }

  // A plain text as it is; for a template, the number of the text that the script builds.
  private refer(template: Template): Argument {
    if (typeof template === 'string') {
      this.size += template.length;
      return template;
    }
    const isPlaceholder = template.length < 4 && template[0] === '' && (template[2] ?? '') === '';
    if (isPlaceholder) return template[1] as number;
    return this.addText(template);
  }

  private addText(template: Template): number {
    this.placeholders += 1;
    this.textCount += 1;
    if (typeof template === 'string') this.texts.push(this.placeholders, 1, template);
    else this.texts.push(this.placeholders, template.length, ...template);
    this.size += lengthOf(template);
    return this.placeholders;
  }
}
