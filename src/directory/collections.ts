import type { ID_PREFIXES } from '../ids.ts';
import type { Scope } from './scopes.ts';

/** The tenant that everything else belongs to. */
export interface Organization {
  id: string;
  name: string;
  createdAt: string;
}

/** The weight of a workspace that was given none. */
export const DEFAULT_WEIGHT = 1;

/**
 * A part of an organization: the unit of fairness, of txid and of the update stream; `operatorCap` and `keysNoted` are for
 * Switchboard itself and never shown.
 */
export interface Workspace {
  id: string;
  name: string;
  organizationId: string;
  /** Its part of what can be done, when all want more. */
  weight: number;
  /** How many of its calls may be under way at once; null for any number. */
  maxConcurrentCalls: number | null;
  /** The cap that the root key has set, beyond which nobody else goes; absent where nobody knows who set the cap. */
  operatorCap?: number | null;
  /** How many bytes it may keep; null for what the setting says, 0 for any number. */
  bytesMax: number | null;
  /** Whether all its keys are in its index of keys; absent for a workspace from before there was one. */
  keysNoted?: boolean;
  createdAt: string;
}

/** An account of a messenger; `organizationId`, `operatorCap`, `lane` and `faults` are for Switchboard itself and never shown. */
export interface MessengerAccount {
  id: string;
  name: string;
  workspaceId: string;
  organizationId: string;
  driver: 'sandbox' | 'telegram';
  status: 'connecting' | 'active' | 'unauthorized';
  userId: number | null;
  username: string | null;
  phone: string | null;
  bot: boolean;
  strictPeers: boolean;
  /** How many of its calls may be under way at once; null for any number. */
  maxConcurrentCalls: number | null;
  /** As that of a workspace. */
  operatorCap?: number | null;
  createdAt: string;
  /** `slow` while a call may take long, so that it never shares a job with quick ones. */
  lane: 'shared' | 'slow';
  /** Whether the sandbox has been told to fail some of the account's calls. */
  faults: boolean;
}

/** How many requests an API key may make: `limit` at once, and as many again in every `windowSeconds`. */
export interface RateLimit {
  limit: number;
  windowSeconds: number;
}

/** What an API key has made, or null and none where the root key did. */
export interface Made {
  createdBy: string | null;
  /** The keys that stand behind it: the one that made it, last, behind those that made that one. Never shown. */
  makers: readonly string[];
}

/** An API key as it is kept: of its secret only the SHA-256. A null `workspaceId` means the whole organization. */
export interface ApiKey extends Made {
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

/** One of a webhook's secrets, sealed. One with `until` has been rotated out, and signs beside the others until then. */
export interface WebhookSecret {
  sealed: string;
  until: string | null;
}

/**
 * Where the updates of a workspace are sent, as it is kept; `organizationId`, `makers` and `secrets` are for Switchboard itself and
 * never shown. A filter that is null lets everything pass.
 */
export interface Webhook extends Made {
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
  /** The last part of the stream that was trimmed before it could be sent: behind `from`, up to `to`. */
  gap: { from: string; to: string; at: string } | null;
  createdAt: string;
  secrets: WebhookSecret[];
}

/** What each collection of the directory holds. */
export interface Records {
  organizations: Organization;
  workspaces: Workspace;
  'messenger-accounts': MessengerAccount;
  'api-keys': ApiKey;
  webhooks: Webhook;
}

export type Collection = keyof Records;

/** Where in the tenancy a record stands; null where it stands above workspaces. */
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
  /** Members that records from before there were such members lack. */
  defaults?: Partial<R>;
  /** The collection whose records keep one of this collection from being deleted. */
  children: Collection | null;
}

/** The table of collections: all that differs between them. */
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
    tenancyOf: ({ organizationId, workspaceId }) => ({
      organizationId,
      workspaceId,
    }),
    parentOf: ({ workspaceId }) => ({
      collection: 'workspaces',
      id: workspaceId,
    }),
    defaults: { maxConcurrentCalls: null },
    children: null,
  },
  'api-keys': {
    idKind: 'apiKey',
    noun: 'API key',
    tenancyOf: ({ organizationId, workspaceId }) => ({
      organizationId,
      workspaceId,
    }),
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
    tenancyOf: ({ organizationId, workspaceId }) => ({
      organizationId,
      workspaceId,
    }),
    parentOf: ({ workspaceId }) => ({
      collection: 'workspaces',
      id: workspaceId,
    }),
    defaults: { createdBy: null, makers: [] },
    children: null,
  },
};

/** The part of a collection that someone may see; each is a sorted set of its own, and that of `none` stays empty. */
export type View = 'all' | 'none' | `organization:${string}` | `workspace:${string}` | `key:${string}`;

/** Every view that shows what stands at this place of the tenancy. */
export function viewsOf({ organizationId, workspaceId }: Tenancy): View[] {
  const views: View[] = ['all', `organization:${organizationId}`];
  return workspaceId === null ? views : [...views, `workspace:${workspaceId}`];
}

/** Every view that shows a record: those of its place, and those of the keys that stand behind it. */
export function viewsOfRecord<C extends Collection>(collection: C, record: Records[C]): View[] {
  const made = makersOf(record).map((id): View => `key:${id}`);
  return [...viewsOf(COLLECTIONS[collection].tenancyOf(record)), ...made];
}

/** What a record belongs to or comes from: what deletes it with itself. */
export function ownersOf<C extends Collection>(collection: C, record: Records[C]): string[] {
  const { organizationId, workspaceId } = COLLECTIONS[collection].tenancyOf(record);
  const places = workspaceId === null ? [organizationId] : [organizationId, workspaceId];
  return [...places, ...makersOf(record)].filter((id) => id !== record.id);
}

/** The keys that stand behind a record. */
export function makersOf(record: Records[Collection]): readonly string[] {
  return 'makers' in record ? record.makers : [];
}
