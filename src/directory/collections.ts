import type { ID_PREFIXES } from '../ids.ts';
import type { Scope } from './scopes.ts';

/** The tenant that everything else belongs to. */
export interface Organization {
  id: string;
  name: string;
  createdAt: string;
}

/** The weight of a workspace that has none of its own. */
export const DEFAULT_WEIGHT = 1;

/**
 * A part of an organization: the unit of fairness, of txid and of the update stream. `operatorCap` and `keysNoted` are internal and
 * never shown.
 */
export interface Workspace {
  id: string;
  name: string;
  organizationId: string;
  /** Its share of the capacity, relative to other workspaces. */
  weight: number;
  /** The most calls that run at once; null for no cap. */
  maxConcurrentCalls: number | null;
  /** The cap set by the root key, which other keys cannot raise; absent if it is unknown who set the cap. */
  operatorCap?: number | null;
  /** How many bytes it may keep; null for the setting, 0 for no limit. */
  bytesMax: number | null;
  /** Whether all its state keys are in its index; absent for a workspace that is older than the index. */
  keysNoted?: boolean;
  createdAt: string;
}

/** An account of a messenger. `organizationId`, `operatorCap`, `lane` and `faults` are internal and never shown. */
export interface MessengerAccount {
  id: string;
  name: string;
  workspaceId: string;
  organizationId: string;
  /** What executes its calls, by the name that workers publish. */
  driver: string;
  status: 'connecting' | 'active' | 'unauthorized';
  userId: number | null;
  username: string | null;
  phone: string | null;
  bot: boolean;
  strictPeers: boolean;
  /** The most calls that run at once; null for no cap. */
  maxConcurrentCalls: number | null;
  /** The cap set by the root key, which other keys cannot raise; absent if it is unknown who set the cap. */
  operatorCap?: number | null;
  createdAt: string;
  /** `slow` while its calls may take long, so that they never share a job with quick ones. */
  lane: 'shared' | 'slow';
  /** Whether faults are set for the account. */
  faults: boolean;
}

/** How many requests an API key may make: `limit` at once, and as many again in every `windowSeconds`. */
export interface RateLimit {
  limit: number;
  windowSeconds: number;
}

/** A record that remembers which API key has created it. */
export interface CreatedRecord {
  /** The key that created it; null for the root key. */
  createdBy: string | null;
  /** The chain of keys through which it was created, `createdBy` last; empty for the root key. Never shown. */
  makers: readonly string[];
}

/** An API key as stored, with only the SHA-256 (`hash`) of its secret. A null `workspaceId` means the whole organization. */
export interface ApiKey extends CreatedRecord {
  id: string;
  name: string;
  scopes: Scope[];
  organizationId: string;
  workspaceId: string | null;
  expiresAt: string | null;
  rateLimit: RateLimit | null;
  createdAt: string;
  hash: string;
}

/** One of a webhook's secrets, sealed. With `until` it has been rotated out, and signs beside the new one until then. */
export interface WebhookSecret {
  sealed: string;
  until: string | null;
}

/**
 * A webhook as stored. `organizationId`, `makers` and `secrets` are internal and never shown. A filter that is null lets everything
 * pass.
 */
export interface Webhook extends CreatedRecord {
  id: string;
  workspaceId: string;
  organizationId: string;
  url: string;
  kinds: string[] | null;
  messengerAccountIds: string[] | null;
  description: string | null;
  status: 'enabled' | 'disabled';
  disabledReason: 'requested' | 'gone' | 'failing' | null;
  disabledAt: string | null;
  /** The last range of updates that were trimmed before they could be sent: after the offset `from`, up to and including `to`. */
  gap: { from: string; to: string; at: string } | null;
  createdAt: string;
  secrets: WebhookSecret[];
}

/** The record type of each collection. */
export interface Records {
  organizations: Organization;
  workspaces: Workspace;
  'messenger-accounts': MessengerAccount;
  'api-keys': ApiKey;
  webhooks: Webhook;
}

export type Collection = keyof Records;

/** A place in the tenancy. `workspaceId` is null for what belongs to the whole organization. */
export interface Tenancy {
  organizationId: string;
  workspaceId: string | null;
}

interface CollectionRules<R> {
  idKind: keyof typeof ID_PREFIXES;
  /** What one record is called in a sentence. */
  noun: string;
  tenancyOf(record: R): Tenancy;
  parentOf(record: R): { collection: Collection; id: string } | null;
  /** Values for members that old records lack. */
  defaults?: Partial<R>;
  /**
   * The collection of a record's children: while it has any, it is not deleted without them. Null if there is none, and for API keys, as
   * what these have created is in several collections.
   */
  children: Collection | null;
}

function ownTenancy({ organizationId, workspaceId }: Tenancy): Tenancy {
  return { organizationId, workspaceId };
}

function ownWorkspace({ workspaceId }: { workspaceId: string }) {
  return { collection: 'workspaces', id: workspaceId } as const;
}

/** The table of collections, with what differs between them in ids, tenancy and defaults. */
export const COLLECTIONS: {
  readonly [C in Collection]: CollectionRules<Records[C]>;
} = {
  organizations: {
    idKind: 'organization',
    noun: 'organization',
    tenancyOf: ({ id }) => ({ organizationId: id, workspaceId: null }),
    parentOf: () => null,
    children: 'workspaces',
  },
  workspaces: {
    idKind: 'workspace',
    noun: 'workspace',
    tenancyOf: ({ id, organizationId }) => ({
      organizationId,
      workspaceId: id,
    }),
    parentOf: ({ organizationId }) => ({
      collection: 'organizations',
      id: organizationId,
    }),
    defaults: { weight: DEFAULT_WEIGHT, maxConcurrentCalls: null, bytesMax: null },
    children: 'messenger-accounts',
  },
  'messenger-accounts': {
    idKind: 'messengerAccount',
    noun: 'messenger account',
    tenancyOf: ownTenancy,
    parentOf: ownWorkspace,
    defaults: { maxConcurrentCalls: null },
    children: null,
  },
  'api-keys': {
    idKind: 'apiKey',
    noun: 'API key',
    tenancyOf: ownTenancy,
    parentOf: ({ organizationId, workspaceId }) =>
      workspaceId === null
        ? { collection: 'organizations', id: organizationId }
        : { collection: 'workspaces', id: workspaceId },
    defaults: { rateLimit: null, createdBy: null, makers: [] },
    children: null,
  },
  webhooks: {
    idKind: 'webhook',
    noun: 'webhook',
    tenancyOf: ownTenancy,
    parentOf: ownWorkspace,
    defaults: { createdBy: null, makers: [] },
    children: null,
  },
};

/** A part of a collection that a principal may see. Each view is a sorted set of its own; that of `none` is always empty. */
export type View = 'all' | 'none' | `organization:${string}` | `workspace:${string}` | `key:${string}`;

/** Every view that shows things at this place of the tenancy. */
export function viewsOf({ organizationId, workspaceId }: Tenancy): View[] {
  const views: View[] = ['all', `organization:${organizationId}`];
  return workspaceId === null ? views : [...views, `workspace:${workspaceId}`];
}

/** Every view that shows a record: those of its place, and those of its makers. */
export function viewsOfRecord<C extends Collection>(collection: C, record: Records[C]): View[] {
  const made = makersOf(record).map((id): View => `key:${id}`);
  return [...viewsOf(COLLECTIONS[collection].tenancyOf(record)), ...made];
}

/** The ids whose deletion deletes the record too: its organization, its workspace and its makers. */
export function ownersOf<C extends Collection>(collection: C, record: Records[C]): string[] {
  const { organizationId, workspaceId } = COLLECTIONS[collection].tenancyOf(record);
  const places = workspaceId === null ? [organizationId] : [organizationId, workspaceId];
  return [...places, ...makersOf(record)].filter((id) => id !== record.id);
}

/** The chain of keys through which a record was created, its creator last. */
export function makersOf(record: Records[Collection]): readonly string[] {
  return 'makers' in record ? record.makers : [];
}
