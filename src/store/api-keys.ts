import { timingSafeEqual } from 'node:crypto';
import { newId } from '../ids.ts';
import type { RedisConnection } from '../redis/connections.ts';
import { Script } from '../redis/script.ts';
import type { ApiKey, RateLimit, Tenancy } from './collections.ts';
import { generateApiKey, hashSecret, isWellFormedKey } from './key-format.ts';
import { type Freshness, LookupCache } from './lookup-cache.ts';
import type { KeyPrincipal, Principal } from './principal.ts';
import { API_KEY_INDEX, createRecord, deleteRecord, parseRecord, recordsKey } from './records.ts';
import type { Scope } from './scopes.ts';

/**
 * KEYS 1 API key index, 2 API key records
 * ARGV 1 SHA-256 of a secret
 * Result: the record of that key, or nil.
 */
const findByHash = new Script(`
local id = redis.call('HGET', KEYS[1], ARGV[1])
return id and redis.call('HGET', KEYS[2], id)
`);

/** The scripts of the API keys, for a readiness check. */
export const API_KEY_SCRIPTS = [findByHash];

/** What a new API key is to be. */
export interface NewApiKey extends Tenancy {
  name: string;
  scopes: Scope[];
  expiresAt: string | null;
  rateLimit: RateLimit | null;
}

const ROOT: Principal = { kind: 'root' };
const REMEMBERED_KEYS = 10_000;
const FORGET_CREDENTIALS_MS = 10_000;
const PLAIN = 'Bearer ';
const BEARER = /^bearer +(\S+) *$/i;

/** Issues API keys, takes them back, and tells whose request it is. A change elsewhere is seen after 500 ms at most. */
export class ApiKeys {
  private readonly redis: RedisConnection;
  private readonly rootHash: Buffer;
  private readonly known: LookupCache<KeyPrincipal>;
  private readonly read = new Map<string, string | Principal>();
  private readSince = 0;

  constructor(redis: RedisConnection, rootKey: string, freshness: Freshness) {
    this.redis = redis;
    this.rootHash = Buffer.from(hashSecret(rootKey), 'hex');
    this.known = new LookupCache((hash) => this.look(hash), REMEMBERED_KEYS, freshness);
  }

  /** Makes a key; its secret is in this one answer and nowhere else. */
  async create(wanted: NewApiKey): Promise<{ record: ApiKey; secret: string }> {
    const secret = generateApiKey();
    const { name, scopes, organizationId, workspaceId, expiresAt, rateLimit } = wanted;
    const record: ApiKey = {
      id: newId('apiKey'),
      name,
      scopes: [...new Set(scopes)],
      organizationId,
      workspaceId,
      expiresAt,
      rateLimit,
      createdAt: new Date().toISOString(),
      hash: hashSecret(secret),
    };
    await createRecord(this.redis, 'api-keys', record);
    this.known.forget(record.hash);
    return { record, secret };
  }

  /** Takes a key back: this process refuses it from now on. */
  async delete(record: ApiKey): Promise<boolean> {
    const deleted = await deleteRecord(this.redis, 'api-keys', record);
    this.known.forget(record.hash);
    return deleted;
  }

  /** Forgets a key that this process has changed. */
  forget({ hash }: ApiKey): void {
    this.known.forget(hash);
  }

  /** Forgets what is remembered, after keys went together with what they belonged to. */
  forgetAll(): void {
    this.known.clear();
  }

  /** Whose request has that `Authorization` header, or null for nobody's; at once when that is remembered. */
  authenticate(credentials: string): Principal | null | Promise<Principal | null> {
    const read = this.readCredentials(credentials);
    if (typeof read !== 'string') return read;
    const known = this.known.peek(read);
    return known === undefined ? this.known.find(read).then(principalOf) : principalOf(known);
  }

  /** The hash to look the key up by, or what is known without. The same few keys come all the time: what is read is remembered. */
  private readCredentials(credentials: string): string | Principal | null {
    const known = this.read.get(credentials);
    if (known !== undefined) return known;
    const now = performance.now();
    if (now - this.readSince > FORGET_CREDENTIALS_MS || this.read.size >= REMEMBERED_KEYS) {
      this.read.clear();
      this.readSince = now;
    }
    const key = BEARER.exec(credentials)?.[1];
    if (key === undefined) return null;
    const hash = hashSecret(key);
    const isRoot = timingSafeEqual(Buffer.from(hash, 'hex'), this.rootHash);
    const read = isRoot ? ROOT : isWellFormedKey(key) ? hash : null;
    // What is not even well-formed, or has more blanks than it needs, can be of any length and will hardly come again.
    if (read !== null && credentials.length === PLAIN.length + key.length) this.read.set(credentials, read);
    return read;
  }

  private async look(hash: string): Promise<KeyPrincipal | null> {
    const text = await findByHash.run(this.redis, [API_KEY_INDEX, recordsKey('api-keys')], [hash]);
    if (typeof text !== 'string') return null;
    const record = parseRecord('api-keys', text);
    const { id: keyId, scopes, organizationId, workspaceId, expiresAt, rateLimit } = record;
    return {
      kind: 'key',
      keyId,
      scopes: new Set(scopes),
      organizationId,
      workspaceId,
      rateLimit,
      expiresAtMs: expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(expiresAt),
    };
  }
}

function principalOf(known: KeyPrincipal | null): Principal | null {
  return known !== null && known.expiresAtMs > Date.now() ? known : null;
}
