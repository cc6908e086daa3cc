import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { Problem } from '../../problem.ts';
import type { RedisConnection } from '../../redis/connections.ts';
import { COLLECTIONS, type Collection, type Records, type View } from '../../store/collections.ts';
import { listRecords, type PageRequest } from '../../store/lists.ts';
import { narrowedView, type Principal, viewOf } from '../../store/principal.ts';
import { findRecord, patchRecord } from '../../store/records.ts';
import type { Scope } from '../../store/scopes.ts';
import { deleteLeaf, deleteTree } from '../delete-tree.ts';
import type { ApiDeps } from '../deps.ts';
import { listQuery, pageRequest } from '../list-query.ts';
import { requireScope } from '../plugins/principal.ts';
import { requireChangeable, requireRecord } from '../plugins/require-record.ts';
import { pageOf, problems } from '../shapes.ts';

/** How a collection is shown and what may be done with its records. */
export interface RecordRoutes<C extends Collection> {
  collection: C;
  tag: string;
  shape: z.ZodType;
  /** What one of them is called in the description of the API. */
  name: string;
  read: Scope;
  write: Scope;
  /** The members that `PATCH` may set; null where nothing can be changed. */
  patch: z.ZodType<Partial<Records[C]>> | null;
  /** Members that only the root key may set. */
  rootMembers?: readonly (keyof Records[C] & string)[];
  /** Throws where the principal may not make these changes. */
  mayPatch?(principal: Principal, changes: Partial<Records[C]>): void;
  /** What is done with a change before it is made: it may refuse, or add to it. */
  prepare?(record: Records[C], changes: Partial<Records[C]>): Promise<Partial<Records[C]>>;
  onChange?(record: Records[C]): unknown;
}

const FILTERS = {
  organizationId: 'organizations',
  workspaceId: 'workspaces',
} as const;

type FilterName = keyof typeof FILTERS;

/** Adds the list of a collection. */
export function addListRoute<C extends Collection>(
  app: FastifyInstance,
  { directory }: ApiDeps,
  { collection, tag, shape, name, read }: RecordRoutes<C>,
  filter: FilterName | null,
): void {
  const { redis, cursors } = directory;
  const schema = {
    tags: [tag],
    operationId: `list${name}s`,
    summary: `List ${collection.replace('-', ' ')}`,
    querystring: listQuery(filter),
    response: { 200: pageOf(shape, `${name}Page`), ...problems(400, 403) },
  };
  app.get(`/v1/${collection}`, { schema, onRequest: requireScope(read) }, async (request) => {
    const query = request.query as Partial<PageRequest> & Partial<Record<FilterName, string>>;
    const page = pageRequest(query);
    const view = viewOf(request.principal, collection);
    const id = filter === null ? undefined : query[filter];
    if (filter === null || id === undefined) {
      return listRecords(redis, cursors, { collection, view, filter: '', shown: view }, page);
    }
    const shown = await viewBeneath(redis, request.principal, FILTERS[filter], id);
    return listRecords(redis, cursors, { collection, view, filter: `${filter}=${id}`, shown }, page);
  });
}

/** What the principal may see beneath a record; `none` where there is no such record, or it may not be seen. */
async function viewBeneath<C extends Collection>(
  redis: RedisConnection,
  principal: Principal,
  collection: C,
  id: string,
): Promise<View> {
  const record = await findRecord(redis, collection, id);
  return record === null ? 'none' : narrowedView(principal, COLLECTIONS[collection].tenancyOf(record));
}

/** Throws `forbidden` when someone other than the root key sets what only that may set. */
export function checkRootMembers(
  principal: Principal,
  given: object,
  rootMembers: readonly string[] = [],
): void {
  if (principal.kind === 'root') return;
  const member = rootMembers.find((name) => name in given);
  if (member !== undefined)
    throw new Problem('forbidden', { detail: `Only the root key may set \`${member}\`.` });
}

/** Adds the routes of one record: read, change, delete. */
export function addRecordRoutes<C extends Collection>(
  app: FastifyInstance,
  deps: ApiDeps,
  routes: RecordRoutes<C>,
): void {
  const { collection, tag, shape, name, read, write, patch } = routes;
  const { noun } = COLLECTIONS[collection];
  const url = `/v1/${collection}/:id`;
  const find = requireRecord(deps.directory, collection);
  const mayChange = [find, requireScope(write), requireChangeable(collection)];

  app.get(
    url,
    {
      onRequest: [find, requireScope(read)],
      schema: {
        tags: [tag],
        operationId: `get${name}`,
        summary: `Get one ${noun}`,
        response: { 200: shape, ...problems(403, 404) },
      },
    },
    async (request) => request.record,
  );

  if (patch !== null) {
    app.patch(
      url,
      {
        onRequest: mayChange,
        config: { accepts: ['application/merge-patch+json'] },
        schema: {
          tags: [tag],
          operationId: `change${name}`,
          consumes: ['application/json', 'application/merge-patch+json'],
          summary: `Change one ${noun} (merge patch)`,
          body: patch,
          response: { 200: shape, ...problems(400, 403, 404, 413, 415) },
        },
      },
      async (request) => {
        const wanted = request.body as Partial<Records[C]>;
        checkRootMembers(request.principal, wanted, routes.rootMembers);
        routes.mayPatch?.(request.principal, wanted);
        const changes = (await routes.prepare?.(request.record as Records[C], wanted)) ?? wanted;
        const record = await patchRecord(deps.directory.redis, collection, request.record.id, changes);
        await routes.onChange?.(record);
        return record;
      },
    );
  }

  app.delete(
    url,
    {
      onRequest: mayChange,
      schema: {
        tags: [tag],
        operationId: `delete${name}`,
        summary: `Delete one ${noun}`,
        querystring: z.strictObject({
          cascade: z.enum(['true', 'false']).optional().describe('Whether everything beneath it goes too'),
        }),
        response: {
          204: z.null().describe('It is gone'),
          ...problems(400, 403, 404, 409),
        },
      },
    },
    async (request, reply) => {
      const { cascade } = request.query as { cascade?: 'true' | 'false' };
      const erase = cascade === 'true' ? deleteTree : deleteLeaf;
      await erase(deps, collection, request.record as Records[C]);
      return reply.code(204).send();
    },
  );
}
