import type { FastifyInstance, FastifyReply, FastifyRequest, onSendHookHandler } from 'fastify';
import { type AuditChange, appendAudit } from '../../control/audit.ts';
import type { MessengerAccount } from '../../directory/collections.ts';
import { hasScope } from '../../directory/principal.ts';
import type { ApiDeps } from '../deps.ts';
import { type Capped, operatorCapOf, withOperatorCap } from '../records/operator-cap.ts';
import { actorOf } from './actor.ts';

const RECORDS =
  /^\/v1\/(workspaces|messenger-accounts|api-keys|webhooks|organizations)(\/:id(\/rotate-secret)?)?$/;

const KINDS: Record<string, string> = {
  organizations: 'organization',
  workspaces: 'workspace',
  'messenger-accounts': 'account',
  'api-keys': 'key',
  webhooks: 'webhook',
};

const ACTIONS: Record<string, string> = { POST: 'create', PATCH: 'change', DELETE: 'delete' };

// Without the URL of a webhook: it may contain a secret.
const SHOWN = [
  'name',
  'organizationId',
  'workspaceId',
  'weight',
  'maxConcurrentCalls',
  'bytesMax',
  'scopes',
  'expiresAt',
  'rateLimit',
  'status',
  'kinds',
  'messengerAccountIds',
];

// The creation of a record is audited only if one of these is given: otherwise it changes no limit and no right.
const GIVEN_LIMITS = ['weight', 'maxConcurrentCalls', 'bytesMax', 'scopes', 'url'];

type Members = Record<string, unknown>;

/**
 * Adds changes of records with limits or rights to the audit list, before the answer. Call it once per app, before the routes are added:
 * with one hook for all, no route can forget it.
 */
export function installAudit(app: FastifyInstance, deps: ApiDeps): void {
  const auditChange: onSendHookHandler<unknown> = async (request, reply, payload) => {
    if (hasChanged(request, reply)) await audit(deps, request, payload);
    return payload;
  };
  app.addHook('onRoute', (route) => {
    const isWriting = [route.method].flat().some((verb) => verb in ACTIONS);
    if (isWriting && RECORDS.test(route.url)) route.onSend = [...[route.onSend ?? []].flat(), auditChange];
  });
}

/** Adds the accounts that a request has deleted, or has created with limits, to the audit list. */
export function auditAccounts(
  deps: ApiDeps,
  request: FastifyRequest,
  action: 'create' | 'delete',
  accounts: readonly MessengerAccount[],
): Promise<void> {
  const isAudited = (account: MessengerAccount) => action === 'delete' || account.maxConcurrentCalls !== null;
  const changes = accounts.filter(isAudited).map((account) => {
    const members = pickMembers({ ...account }, SHOWN);
    const [from, to] = action === 'delete' ? [members, null] : [null, members];
    return { action, target: { kind: 'account', id: account.id }, from, to };
  });
  return recordAll(deps, request, changes);
}

// A change or a deletion may be answered with an error, if what follows it fails, and a repeat then finds nothing to do. Where another
// request was faster, it is answered as if it had deleted the record.
function hasChanged({ method, changed }: FastifyRequest, { statusCode }: FastifyReply): boolean {
  return method === 'POST' ? statusCode < 300 : changed !== undefined;
}

async function audit(deps: ApiDeps, request: FastifyRequest, payload: unknown): Promise<void> {
  const change = changeOf(request, payload);
  if (change !== null) await recordAll(deps, request, [change]);
}

async function recordAll(
  { directory, log }: ApiDeps,
  { principal }: FastifyRequest,
  changes: Omit<AuditChange, 'by'>[],
): Promise<void> {
  const { redis } = directory;
  if (changes.length === 0) return;
  try {
    const by = await actorOf(redis, principal);
    const isOperator = principal.kind === 'root' || hasScope(principal, 'operate');
    const organizationId = isOperator ? null : principal.organizationId;
    await Promise.all(changes.map((change) => appendAudit(redis, { ...change, by }, organizationId)));
  } catch (err) {
    // The change was made, so the caller must not get an error.
    log.error({ err, changes }, 'changes could not be added to the audit list');
  }
}

/** The change that a request has made; null if the audit list leaves it out. */
function changeOf(request: FastifyRequest, payload: unknown): Omit<AuditChange, 'by'> | null {
  const { url = '' } = request.routeOptions;
  const [, collection = '', , isRotation] = RECORDS.exec(url) ?? [];
  const action = isRotation === undefined ? (ACTIONS[request.method] ?? '') : 'rotate-secret';
  const before = request.record as unknown as Members | null;
  const after = action === 'create' ? parseAnswer(payload) : (request.changed as unknown as Members | null);
  const target = { kind: KINDS[collection] ?? '', id: String((before ?? after)?.id) };
  const plain = { action, target, from: null, to: null };
  if (action === 'rotate-secret') return plain;
  if (action === 'delete') return { ...plain, from: pickMembers(before, SHOWN), ...cascadeOf(request) };
  if (action === 'create') {
    const isAudited = GIVEN_LIMITS.some((name) => (request.body as Members)[name] != null);
    return isAudited ? { ...plain, to: pickMembers(after, SHOWN) } : null;
  }
  const caps = operatorCapsOf(request);
  const changed = SHOWN.filter((name) => JSON.stringify(before?.[name]) !== JSON.stringify(after?.[name]));
  // A new name alone changes no limit and no right. A new URL sends the updates elsewhere.
  if (before?.url === after?.url && changed.every((name) => name === 'name') && caps === null) return null;
  const pick = (record: Members | null) =>
    Object.fromEntries(changed.map((name) => [name, record?.[name] ?? null]));
  return { ...plain, from: { ...pick(before), ...caps?.from }, to: { ...pick(after), ...caps?.to } };
}

// With it goes what is beneath the record, or was made with the key, and that is not listed by itself.
function cascadeOf({ query }: FastifyRequest): Pick<AuditChange, 'cascade'> {
  const { cascade } = query as { cascade?: 'true' | 'false' };
  return cascade === undefined ? {} : { cascade: cascade === 'true' };
}

/**
 * The operator's cap before and after a change; null if it stays the same. It changes alone if the root key sets the cap that a record
 * already has: from then on, no other key may raise that cap.
 */
function operatorCapsOf({ principal, body, record }: FastifyRequest): { from: Members; to: Members } | null {
  const wanted: Partial<Capped> = withOperatorCap(principal, body as Partial<Capped>);
  if (wanted.operatorCap === undefined) return null;
  const operatorCap = operatorCapOf(record as Capped);
  if (operatorCap === wanted.operatorCap) return null;
  return { from: { operatorCap }, to: { operatorCap: wanted.operatorCap } };
}

function parseAnswer(payload: unknown): Members | null {
  return typeof payload === 'string' && payload !== '' ? JSON.parse(payload) : null;
}

function pickMembers(record: Members | null, names: string[]): Members {
  return Object.fromEntries(
    names.filter((name) => record?.[name] != null).map((name) => [name, record?.[name]]),
  );
}
