import {
  COLLECTIONS,
  type Collection,
  type CreatedRecord,
  type RateLimit,
  type Records,
  type Tenancy,
  type View,
} from './collections.ts';
import type { Scope } from './scopes.ts';

/** Who makes a request: the root key, or an API key with its place in the tenancy and its scopes. */
export type Principal = RootPrincipal | KeyPrincipal;

export interface RootPrincipal {
  kind: 'root';
}

export interface KeyPrincipal extends Tenancy {
  kind: 'key';
  keyId: string;
  scopes: ReadonlySet<Scope>;
  /** When the key expires, in ms since the epoch; infinite if never. */
  expiresAtMs: number;
  /** The chain of keys through which it was created: first the one that the root key created, last itself. */
  lineage: readonly string[];
  /**
   * The limits that its requests count against: that of the first key of its lineage (null for the setting `KEY_RATE_LIMIT`), and those
   * of the others that have one of their own.
   */
  rates: readonly KeyRate[];
}

/** The rate limit of a key. */
export interface KeyRate {
  keyId: string;
  rateLimit: RateLimit | null;
}

/** The creators to be recorded in what a principal creates. */
export function makersBy(principal: Principal): CreatedRecord {
  const makers = principal.kind === 'root' ? [] : principal.lineage;
  return { createdBy: makers.at(-1) ?? null, makers };
}

/** Whether the principal has the scope. The root key has all. */
export function hasScope(principal: Principal, scope: Scope): boolean {
  return principal.kind === 'root' || principal.scopes.has(scope);
}

/** Whether the principal may know that a thing at this place of the tenancy exists. */
export function maySee(principal: Principal, place: Tenancy): boolean {
  if (principal.kind === 'root') return true;
  if (principal.organizationId !== place.organizationId) return false;
  return principal.workspaceId === null || principal.workspaceId === place.workspaceId;
}

/** Whether the principal may see the record. A workspace's key may see its organization too. */
export function maySeeRecord<C extends Collection>(
  principal: Principal,
  collection: C,
  record: Records[C],
): boolean {
  const place = COLLECTIONS[collection].tenancyOf(record);
  if (collection !== 'organizations') return maySee(principal, place);
  return principal.kind === 'root' || principal.organizationId === place.organizationId;
}

/** The view of a collection with exactly the records that the principal may see. */
export function viewOf(principal: Principal, collection: Collection): View {
  if (principal.kind === 'root') return 'all';
  const { organizationId, workspaceId } = principal;
  return placeView({
    organizationId,
    workspaceId: collection === 'organizations' ? null : workspaceId,
  });
}

/** Whether the principal, if it has the scope, may change the record. A workspace's key may not change its organization. */
export function mayChangeRecord<C extends Collection>(
  principal: Principal,
  collection: C,
  record: Records[C],
): boolean {
  return maySee(principal, COLLECTIONS[collection].tenancyOf(record));
}

/** The view of what the principal may see at or below a place; `none` if that is nothing. */
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
