import { timingSafeEqual } from 'node:crypto';
import { newIdentity } from '../ids.ts';
import type { RedisConnection } from '../redis/connections.ts';
import { Script } from '../redis/script.ts';
import { TaskGate } from '../task-gate.ts';
import type { ApiKey, RateLimit, Tenancy } from './collections.ts';
import { FORMER_RATES } from './delete-record.ts';
import { DELETIONS, IS_GONE } from './deletions.ts';
import type { DirectoryWatch } from './directory-watch.ts';
import { generateApiKey, hashSecret, isWellFormedKey } from './key-format.ts';
import { KnownKeys } from './keys/known-keys.ts';
import { LookupCache } from './lookup-cache.ts';
import type { KeyPrincipal, Principal } from './principal.ts';
import { API_KEY_INDEX, createRecord, parseRecord, type RecordLimits, recordsKey } from './records.ts';
import type { Scope } from './scopes.ts';

/**
 * KEYS 1 API key index, 2 API key records, 3 deletions, 4 former rates
 * ARGV 1 SHA-256 of a secret (hex)
 * Result: nil if there is no such key, or an owner or maker of it is being deleted; otherwise its record, then for each of its makers
 *         the record, or its rate limit if it is deleted, or ''.
 */
const findByHash = new Script(`
${IS_GONE}
local id = redis.call('HGET', KEYS[1], ARGV[1])
local text = id and redis.call('HGET', KEYS[2], id)
if not text then return nil end
local record = cjson.decode(text)
local makers = record.makers or {}
if isGone(KEYS[3], record.organizationId, record.workspaceId, unpack(makers)) then return nil end
local found = {text}
for i, maker in ipairs(makers) do
  found[1 + i] = redis.call('HGET', KEYS[2], maker) or redis.call('HGET', KEYS[4], maker) or ''
end
return found
`);

/** The scripts of this file, to be loaded at start. */
export const API_KEY_SCRIPTS = [findByHash];

/** A new API key, as wanted. */
export interface NewApiKey extends Tenancy {
  name: string;
  scopes: Scope[];
  expiresAt: string | null;
  rateLimit: RateLimit | null;
  /** The chain of keys through which it is created; last the one that creates it. */
  makers?: readonly string[];
}

// How many keys that this process has not found lately are looked up at once, and how many wait. So a flood of invalid keys does not delay
// valid ones.
const UNSEEN_AT_ONCE = 16;
const UNSEEN_WAITING = 1_000;
const UNSEEN = { tenant: '', key: '', signal: new AbortController().signal };

const ROOT: Principal = { kind: 'root' };
const REMEMBERED_KEYS = 10_000;
const FORGET_CREDENTIALS_MS = 10_000;
const BEARER_PREFIX = 'Bearer ';
const BEARER = /^bearer +(\S+) *$/i;

type Watch = Pick<DirectoryWatch, 'isFresh' | 'wasFresh'>;

/** Creates API keys and authenticates requests. A change by another process is seen within 500 ms. */
export class ApiKeys {
  private readonly redis: RedisConnection;
  private readonly rootHash: Buffer;
  private readonly watch: Watch;
  private readonly known: LookupCache<KeyPrincipal>;
  /** Parsed headers: the hash of the key, or the root principal. */
  private readonly parsed = new Map<string, string | Principal>();
  private parsedSinceMs = 0;
  private readonly seen = new KnownKeys();
  private readonly unseen = new TaskGate({
    atOnce: UNSEEN_AT_ONCE,
    perKey: UNSEEN_AT_ONCE,
    waitingPerKey: UNSEEN_WAITING,
    refusal: 'Many API keys that have not been used here before are being looked up.',
  });

  constructor(redis: RedisConnection, rootKey: string, watch: Watch) {
    this.redis = redis;
    this.watch = watch;
    this.rootHash = Buffer.from(hashSecret(rootKey), 'hex');
    this.known = new LookupCache((hash) => this.lookUp(hash), REMEMBERED_KEYS, watch);
  }

  /** Creates a key. Its secret is returned here only, and never stored. */
  async create(
    wanted: NewApiKey,
    options: { limits?: RecordLimits } = {},
  ): Promise<{ record: ApiKey; secret: string }> {
    const secret = generateApiKey();
    const { name, scopes, organizationId, workspaceId, expiresAt, rateLimit, makers = [] } = wanted;
    const record: ApiKey = {
      ...newIdentity('apiKey'),
      name,
      scopes: [...new Set(scopes)],
      organizationId,
      workspaceId,
      expiresAt,
      rateLimit,
      createdBy: makers.at(-1) ?? null,
      makers,
      hash: hashSecret(secret),
    };
    await createRecord(this.redis, 'api-keys', record, options);
    this.known.forget(record.hash);
    return { record, secret };
  }

  /** Removes a key that this process has changed from the cache. */
  forget({ hash }: ApiKey): void {
    this.known.forget(hash);
  }

  /** Empties the cache, after keys were deleted together with their workspace or organization. */
  forgetAll(): void {
    this.known.clear();
  }

  /**
   * The principal of an `Authorization` header, or null if it is not valid; without a promise if it is cached. `rate_limited` when too
   * many keys that were never found here wait to be looked up.
   */
  authenticate(credentials: string): Principal | null | Promise<Principal | null> {
    const parsed = this.parseCredentials(credentials);
    if (typeof parsed !== 'string') return parsed;
    const known = this.known.peek(parsed);
    return known === undefined ? this.find(parsed).then(principalOf) : principalOf(known);
  }

  /**
   * The principal of an `Authorization` header as it was when Redis last answered, or up to two minutes before that; null if that is not
   * known. Only for what must go on while Redis is away.
   */
  lastFound(credentials: string): Principal | null {
    const parsed = this.parseCredentials(credentials);
    if (typeof parsed !== 'string') return parsed;
    const found = this.known.lastFound(parsed);
    return found !== undefined && this.watch.wasFresh(found.askedAt) ? principalOf(found.value) : null;
  }

  /**
   * The tenant of a request: the organization of its key, `root`, `none` without a well-formed key, `unknown` for a key that was not found
   * lately, or has expired.
   */
  tenantOf(credentials: string): string {
    const parsed = this.parseCredentials(credentials);
    if (parsed === null) return 'none';
    if (typeof parsed !== 'string') return parsed.kind;
    const found = this.known.lastFound(parsed);
    const hasExpired = found !== undefined && principalOf(found.value) === null;
    return (hasExpired ? undefined : this.seen.organizationOf(parsed)) ?? 'unknown';
  }

  /**
   * The hash to look the key up by; the principal or null if that is known without a look-up. The same few headers come all the time, so
   * their hashes are cached.
   */
  private parseCredentials(credentials: string): string | Principal | null {
    const known = this.parsed.get(credentials);
    if (known !== undefined) return known;
    const now = performance.now();
    if (now - this.parsedSinceMs > FORGET_CREDENTIALS_MS || this.parsed.size >= REMEMBERED_KEYS) {
      this.parsed.clear();
      this.parsedSinceMs = now;
    }
    const key = BEARER.exec(credentials)?.[1];
    if (key === undefined) return null;
    const hash = hashSecret(key);
    const isRoot = timingSafeEqual(Buffer.from(hash, 'hex'), this.rootHash);
    const parsed = isRoot ? ROOT : isWellFormedKey(key) ? hash : null;
    // Malformed headers, and those with extra spaces, can have any length and rarely repeat.
    const isUsual = credentials.length === BEARER_PREFIX.length + key.length;
    if (parsed !== null && isUsual) this.parsed.set(credentials, parsed);
    return parsed;
  }

  private find(hash: string): Promise<KeyPrincipal | null> {
    if (this.seen.organizationOf(hash) !== undefined) return this.known.find(hash);
    return this.unseen.run(UNSEEN, () => this.known.find(hash));
  }

  private async lookUp(hash: string): Promise<KeyPrincipal | null> {
    const keys = [API_KEY_INDEX, recordsKey('api-keys'), DELETIONS, FORMER_RATES];
    const found = (await findByHash.run(this.redis, keys, [hash])) as string[] | null;
    if (found === null) {
      this.seen.forget(hash);
      return null;
    }
    const [text = '', ...makerTexts] = found;
    const record = parseRecord('api-keys', text);
    const { id: keyId, scopes, organizationId, workspaceId, expiresAt, rateLimit, makers } = record;
    const limits = [...makerTexts.map(readRateLimit), rateLimit];
    const lineage = [...makers, keyId];
    this.seen.add(hash, organizationId);
    return {
      kind: 'key',
      keyId,
      scopes: new Set(scopes),
      organizationId,
      workspaceId,
      lineage,
      rates: lineage.flatMap((id, i) => {
        const limit = limits[i] ?? null;
        // The first key of the chain counts even without a limit of its own: then `KEY_RATE_LIMIT` applies.
        return limit === null && i > 0 ? [] : [{ keyId: id, rateLimit: limit }];
      }),
      expiresAtMs: expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(expiresAt),
    };
  }
}

// `text` is a record, or the rate limit kept of a deleted key.
function readRateLimit(text: string): RateLimit | null {
  if (text === '') return null;
  const found = JSON.parse(text) as ApiKey | RateLimit | null;
  return found !== null && 'scopes' in found ? (found.rateLimit ?? null) : found;
}

function principalOf(known: KeyPrincipal | null): Principal | null {
  if (known === null || known.expiresAtMs === Number.POSITIVE_INFINITY) return known;
  return known.expiresAtMs > Date.now() ? known : null;
}
