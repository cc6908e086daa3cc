import {
  COLLECTIONS,
  type Collection,
  type Made,
  type RateLimit,
  type Records,
  type Tenancy,
  type View,
} from './collections.ts';
import type { Scope } from './scopes.ts';

/** Who makes a request: the root key, or an API key with what it belongs to and may do. */
export type Principal = RootPrincipal | KeyPrincipal;

export interface RootPrincipal {
  kind: 'root';
}

export interface KeyPrincipal extends Tenancy {
  kind: 'key';
  keyId: string;
  scopes: ReadonlySet<Scope>;
  /** When the key ends, in milliseconds; infinite for one that does not. */
  expiresAtMs: number;
  /** The keys behind it, the first that the root key made, and itself last. */
  lineage: readonly string[];
  /**
   * Where its requests count: the first of its lineage, where null stands for the setting for all keys, and those of the others that
   * have a limit of their own.
   */
  rates: readonly KeyRate[];
}

/** The rate limit of a key. */
export interface KeyRate {
  keyId: string;
  rateLimit: RateLimit | null;
}

/** What a principal is to be known by in what it makes. */
export function makersBy(principal: Principal): Made {
  const makers = principal.kind === 'root' ? [] : principal.lineage;
  return { createdBy: makers.at(-1) ?? null, makers };
}

/** Whether the principal has the scope; the root key has every one. */
export function hasScope(principal: Principal, scope: Scope): boolean {
  return principal.kind === 'root' || principal.scopes.has(scope);
}

/** Whether the principal may know that something at this place of the tenancy exists. */
export function maySee(principal: Principal, place: Tenancy): boolean {
  if (principal.kind === 'root') return true;
  if (principal.organizationId !== place.organizationId) return false;
  return principal.workspaceId === null || principal.workspaceId === place.workspaceId;
}

/** Whether the principal may know of the record; a workspace's key knows its own organization too. */
export function maySeeRecord<C extends Collection>(
  principal: Principal,
  collection: C,
  record: Records[C],
): boolean {
  const place = COLLECTIONS[collection].tenancyOf(record);
  if (collection !== 'organizations') return maySee(principal, place);
  return principal.kind === 'root' || principal.organizationId === place.organizationId;
}

/** The view of a collection that holds exactly what the principal may see. */
export function viewOf(principal: Principal, collection: Collection): View {
  if (principal.kind === 'root') return 'all';
  const { organizationId, workspaceId } = principal;
  return placeView({
    organizationId,
    workspaceId: collection === 'organizations' ? null : workspaceId,
  });
}

/** Whether the principal may change the record, given the scope; a workspace's key does not change its organization. */
export function mayChangeRecord<C extends Collection>(
  principal: Principal,
  collection: C,
  record: Records[C],
): boolean {
  return maySee(principal, COLLECTIONS[collection].tenancyOf(record));
}

/** The view of what the principal may see at or beneath a place; `none` where that is nothing. */
export function narrowedView(principal: Principal, place: Tenancy): View {
  const own = placeView(place);
  if (principal.kind === 'root') return own;
  if (principal.organizationId !== place.organizationId) return 'none';
  if (principal.workspaceId === null) return own;
  const isWithin = place.workspaceId === null || place.workspaceId === principal.workspaceId;
  return isWithin ? placeView(principal) : 'none';
}

function placeView({ organizationId, workspaceId }: Tenancy): View {
  return workspaceId === null ? `organization:${organizationId}` : `workspace:${workspaceId}`;
}
