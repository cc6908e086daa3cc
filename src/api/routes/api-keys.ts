import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import * as z from 'zod';
import type { Config } from '../../config.ts';
import type { ApiKey, RateLimit, Tenancy } from '../../directory/collections.ts';
import { hasScope, makersBy, type Principal } from '../../directory/principal.ts';
import { OPERATOR_SCOPES } from '../../directory/scopes.ts';
import { Problem } from '../../problem.ts';
import type { ApiDeps } from '../deps.ts';
import { requireScope } from '../plugins/principal.ts';
import { ratesOf } from '../plugins/rate-limit.ts';
import { locationOf } from '../records/location.ts';
import { getParent } from '../records/parent.ts';
import { apiKey, newApiKey, problems, rateLimit, scope } from '../records/shapes.ts';
import { name, reference } from '../records/texts.ts';
import { addListRoute, addRecordRoutes, type RecordRoutes } from './record-routes.ts';

// Each maker is looked up with the key, and may have a limit of its own.
const MAKERS_MAX = 8;

// A later year has more than four digits in UTC, which no answer may show.
const EXPIRES_BEFORE = Date.UTC(10_000, 0);

const wantedKey = z
  .strictObject({
    name,
    scopes: z.array(scope).min(1).max(100),
    organizationId: reference.optional().describe('For a key of the whole organization'),
    workspaceId: reference.optional().describe('For a key of one workspace'),
    expiresAt: z.iso
      .datetime({ offset: true })
      // What is no time has been refused already.
      .refine(
        (time) => !isPastOrTooLate(Date.parse(time)),
        'A time in the future is needed, before the year 10000',
      )
      .transform((time) => new Date(time).toISOString())
      .nullable()
      .default(null)
      .meta({ type: ['string', 'null'], format: 'date-time', default: null }),
    rateLimit: rateLimit.nullable().default(null),
  })
  .refine(
    ({ organizationId, workspaceId }) => (organizationId === undefined) !== (workspaceId === undefined),
    {
      error: 'Give either organizationId or workspaceId, not both',
      path: ['organizationId'],
    },
  );

/**
 * `/v1/api-keys`. A key grants no scope that it lacks, no looser rate limit and no longer life than its own; only the root
 * key grants `metrics:read` and `operate`.
 */
export function addApiKeyRoutes(app: FastifyInstance, deps: ApiDeps): void {
  const routes: RecordRoutes<'api-keys'> = {
    collection: 'api-keys',
    tag: 'API keys',
    shape: apiKey,
    name: 'ApiKey',
    read: 'keys:read',
    write: 'keys:write',
    patch: z.strictObject({ name: name.exactOptional(), rateLimit: rateLimit.nullable().exactOptional() }),
    mayPatch: (principal, { rateLimit }, record) => checkRateLimit(deps.config, principal, rateLimit, record),
    onChange: (record) => deps.directory.apiKeys.forget(record),
  };
  addListRoute(app, deps, routes, { ids: ['createdBy', 'workspaceId', 'organizationId'] });
  addRecordRoutes(app, deps, routes);
  app.withTypeProvider<ZodTypeProvider>().post(
    '/v1/api-keys',
    {
      onRequest: requireScope(routes.write),
      schema: {
        tags: [routes.tag],
        operationId: 'createApiKey',
        summary: 'Create an API key',
        description:
          'Its secret is in this one answer only. A key gives no scope that it lacks, no looser rate limit and no longer life than its own.',
        body: wantedKey,
        response: { 201: newApiKey, ...problems(400, 403, 404, 409, 413, 415) },
      },
    },
    async (request, reply) => {
      const { name, scopes, expiresAt, rateLimit } = request.body;
      const place = await placeOf(deps, request.principal, request.body);
      for (const wanted of scopes) {
        const isGivable = request.principal.kind === 'root' || !OPERATOR_SCOPES.has(wanted);
        if (!isGivable || !hasScope(request.principal, wanted)) {
          throw new Problem('forbidden', {
            detail: `This API key cannot give the scope ${wanted}.`,
          });
        }
      }
      if (outlives(expiresAt, request.principal)) {
        throw new Problem('forbidden', {
          detail: 'This API key cannot create one that expires later than itself.',
          errors: [{ pointer: '/expiresAt', detail: 'Later than the expiry of the key that creates it' }],
        });
      }
      checkRateLimit(deps.config, request.principal, rateLimit);
      const { makers } = makersBy(request.principal);
      if (makers.length > MAKERS_MAX) {
        throw new Problem('forbidden', {
          detail: `This API key is ${MAKERS_MAX} keys away from the root key and creates no others. Use one of those before it.`,
        });
      }
      const wanted = { name, scopes, expiresAt, rateLimit, makers, ...place };
      const { record, secret } = await deps.directory.apiKeys.create(wanted, {
        limits: [undefined, deps.config.API_KEYS_PER_ORGANIZATION, deps.config.API_KEYS_PER_WORKSPACE],
      });
      const location = locationOf(deps.config, 'api-keys', record.id);
      reply.code(201).header('location', location);
      return { ...record, secret };
    },
  );
}

function outlives(expiresAt: string | null, principal: Principal): boolean {
  if (principal.kind === 'root') return false;
  return (expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(expiresAt)) > principal.expiresAtMs;
}

/**
 * Throws `forbidden` if a key sets a looser rate limit than those its own requests count against, loosens one of a key that
 * it has not created, or removes one.
 */
function checkRateLimit(
  config: Config,
  principal: Principal,
  wanted: RateLimit | null | undefined,
  present?: ApiKey,
): void {
  if (wanted === undefined || principal.kind === 'root') return;
  const isOwn = present === undefined || present.makers.includes(principal.keyId);
  const own = ratesOf(config, principal).map(({ limit }) => limit);
  // Without a limit of its own, a key of the root key has the usual one, and others have those of their makers, which go on to hold.
  const usual = present?.makers.length === 0 ? config.KEY_RATE_LIMIT : undefined;
  const bounds = isOwn ? own : [...own, present.rateLimit ?? usual ?? []].flat();
  const mayGiveNone =
    principal.rates.every(({ rateLimit }) => rateLimit === null) && (isOwn || present.rateLimit === null);
  const bound =
    wanted === null
      ? mayGiveNone
        ? undefined
        : bounds[0]
      : bounds.find(
          ({ limit, windowSeconds }) =>
            wanted.limit > limit || wanted.limit * windowSeconds > limit * wanted.windowSeconds,
        );
  if (bound !== undefined) {
    throw new Problem('forbidden', {
      detail: `This API key can give no looser rate limit than ${bound.limit} in ${bound.windowSeconds} seconds; the root key can.`,
    });
  }
}

async function placeOf(
  { directory }: ApiDeps,
  principal: Principal,
  { organizationId, workspaceId }: { organizationId?: string | undefined; workspaceId?: string | undefined },
): Promise<Tenancy> {
  if (workspaceId === undefined) {
    const organization = await getParent(directory.redis, principal, 'organizations', organizationId ?? '');
    return { organizationId: organization.id, workspaceId: null };
  }
  const workspace = await getParent(directory.redis, principal, 'workspaces', workspaceId);
  return {
    organizationId: workspace.organizationId,
    workspaceId: workspace.id,
  };
}

function isPastOrTooLate(at: number): boolean {
  return at <= Date.now() || at >= EXPIRES_BEFORE;
}
