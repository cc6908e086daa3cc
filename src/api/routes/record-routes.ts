import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod';
import { COLLECTIONS, type Collection, type Records, type View } from '../../directory/collections.ts';
import { type ListOf, listRecords } from '../../directory/lists.ts';
import type { PageRequest } from '../../directory/page.ts';
import { maySeeRecord, narrowedView, type Principal, viewOf } from '../../directory/principal.ts';
import { findRecord, notFound, patchRecord } from '../../directory/records.ts';
import type { Scope } from '../../directory/scopes.ts';
import { isId } from '../../ids.ts';
import { Problem } from '../../problem.ts';
import type { RedisConnection } from '../../redis/connections.ts';
import type { ApiDeps } from '../deps.ts';
import { matchesEtag } from '../headers/matches-etag.ts';
import { ChangeGate } from '../limits/change-gate.ts';
import { type OrderQuery, orderOf } from '../lists/list-order.ts';
import { idFilter, listQuery, pageRequest } from '../lists/list-query.ts';
import { linkPages } from '../lists/page-links.ts';
import { readmitLate, requireScope } from '../plugins/principal.ts';
import { requireChangeable, requireRecord } from '../plugins/require-record.ts';
import { deleteTree } from '../records/delete-tree.ts';
import { checkIfMatch, etagOf } from '../records/record-etag.ts';
import { orderProblems, pageOf, problems } from '../records/shapes.ts';

/** How the API shows a collection, and which changes of its records it allows. */
export interface RecordRoutes<C extends Collection> {
  collection: C;
  tag: string;
  shape: z.ZodObject;
  /** The name of one in the OpenAPI document. */
  name: string;
  read: Scope;
  write: Scope;
  /** The members that `PATCH` may set; null for none. */
  patch: z.ZodType<Partial<Records[C]>> | null;
  /** The members that only the root key may set. */
  rootMembers?: readonly (keyof Records[C] & string)[];
  /** Throws if the principal may not make these changes to the present record. */
  mayPatch?(principal: Principal, changes: Partial<Records[C]>, record: Records[C]): void;
  /** Further changes that follow from the principal. */
  addChanges?(principal: Principal, changes: Partial<Records[C]>): Partial<Records[C]>;
  /** Delays a change until its turn; by default until the API key has no other change of the record under way. */
  inTurn?<T>(request: FastifyRequest, record: Records[C], change: () => Promise<T>): Promise<T>;
  /** Runs before that, and may refuse a change or add to it. */
  prepare?(record: Records[C], changes: Partial<Records[C]>): Promise<Partial<Records[C]>>;
  /** Runs in its turn, and again if the record changes meanwhile: adds to the changes what depends on the record as it is then. */
  complete?(found: Records[C], changes: Partial<Records[C]>): Promise<Partial<Records[C]>>;
  onChange?(record: Records[C], changes: Partial<Records[C]>): unknown;
  /** Adds members of records that are stored elsewhere. */
  show?(records: Records[C][]): Promise<object[]>;
}

// Members that an operator must be able to change when Redis' memory is full.
const LIMITS = new Set(['weight', 'maxConcurrentCalls', 'bytesMax', 'rateLimit', 'status']);

const FILTERS = {
  organizationId: 'organizations',
  workspaceId: 'workspaces',
} as const;

type IdFilter = keyof typeof FILTERS | 'createdBy';

const FILTER_MEANINGS: Record<IdFilter, string> = {
  createdBy: 'Only what this API key has made',
  organizationId: 'Only what belongs to it',
  workspaceId: 'Only what belongs to it',
};

/** The filters of a list: ids, of which the first one given is looked up in an index, and members with few values. */
export interface ListFilters<C extends Collection> {
  ids?: readonly IdFilter[];
  values?: { [Member in keyof Records[C] & string]?: z.ZodType<string | undefined> };
}

/** Adds the list of a collection. */
export function addListRoute<C extends Collection>(
  app: FastifyInstance,
  { directory, reads, config }: ApiDeps,
  { collection, tag, shape, name, read, show }: RecordRoutes<C>,
  { ids = [], values = {} }: ListFilters<C>,
): void {
  const { redis, cursors } = directory;
  const isSearched = ids.length > 1 || Object.keys(values).length > 0;
  const search =
    ' Filters beside an id look at 1,000 records and 1 MiB for a page at most: then `partial` says that the search goes on with the next page.';
  const schema = {
    tags: [tag],
    operationId: `list${name}s`,
    summary: `List ${collection.replace('-', ' ')}`,
    description: `Those that the API key may see, the oldest first unless \`sort\` says otherwise.${isSearched ? search : ''}`,
    querystring: listQuery.extend({
      ...Object.fromEntries(ids.map((id) => [id, idFilter.describe(FILTER_MEANINGS[id])])),
      ...values,
    }),
    response: { 200: pageOf(shape, `${name}Page`), ...problems(400, 403, 429) },
  };
  app.get(`/v1/${collection}`, { schema, onRequest: requireScope(read) }, async (request, reply) => {
    const query = request.query as Partial<PageRequest> & OrderQuery & Record<string, string | undefined>;
    const { principal } = request;
    const wanted = pageRequest(query);
    const view = viewOf(principal, collection);
    const given = [...ids, ...Object.keys(values)].filter((filter) => query[filter] !== undefined);
    const indexed = ids.find((id) => query[id] !== undefined);
    const others = given.filter((filter) => filter !== indexed);
    const list: ListOf<C> = {
      collection,
      view,
      filter: given.map((filter) => `${filter}=${query[filter]}`).join('&'),
      shown: indexed === undefined ? view : await viewBy(redis, principal, indexed, query[indexed] as string),
      matches:
        others.length === 0
          ? null
          : (record) => others.every((member) => record[member as keyof Records[C]] === query[member]),
    };
    const order = orderOf(COLLECTIONS[collection].idKind, query);
    const found = await listRecords(reads.redis, cursors, list, wanted, order, reads.runnerOf(request));
    linkPages(config, request, reply, found);
    return show === undefined ? found : { ...found, data: await show(found.data) };
  });
}

/** The records that the principal may see and that match a filter. */
function viewBy(redis: RedisConnection, principal: Principal, filter: IdFilter, id: string): Promise<View> {
  return filter === 'createdBy'
    ? viewMadeBy(redis, principal, id)
    : viewOfChildren(redis, principal, FILTERS[filter], id);
}

/** The records below another; `none` if that does not exist or the principal may not see it. */
async function viewOfChildren<C extends Collection>(
  redis: RedisConnection,
  principal: Principal,
  collection: C,
  id: string,
): Promise<View> {
  const record = await findRecord(redis, collection, id);
  return record === null ? 'none' : narrowedView(principal, COLLECTIONS[collection].tenancyOf(record));
}

/**
 * The records that an API key has created, directly or through other keys. For a deleted key, only the root key sees them; for a key that
 * the principal may not see, nobody does.
 */
async function viewMadeBy(redis: RedisConnection, principal: Principal, id: string): Promise<View> {
  if (!isId('apiKey', id)) return 'none';
  if (principal.kind === 'root') return `key:${id}`;
  const key = await findRecord(redis, 'api-keys', id);
  return key !== null && maySeeRecord(principal, 'api-keys', key) ? `key:${id}` : 'none';
}

/** Throws `forbidden` if another key than the root key sets a member reserved for it. */
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

/** Adds the routes of one record: `GET`, `PATCH`, `DELETE`. */
export function addRecordRoutes<C extends Collection>(
  app: FastifyInstance,
  deps: ApiDeps,
  routes: RecordRoutes<C>,
): void {
  const { collection, tag, shape, name, read, write, patch } = routes;
  const { noun } = COLLECTIONS[collection];
  const url = `/v1/${collection}/:id`;
  const find = requireRecord(deps.directory, collection);
  const turns = new ChangeGate();
  const readmit = readmitLate(deps.directory);
  const inTurn = routes.inTurn ?? turns.run.bind(turns);
  const mayChange = [find, requireScope(write), requireChangeable(collection)];
  const sendOne = async (record: Records[C], reply: FastifyReply) => {
    const shown = (await routes.show?.([record]))?.[0] ?? record;
    reply.headers({ etag: etagOf(shape, record, shown), 'cache-control': 'private, no-cache' });
    return shown;
  };

  app.get(
    url,
    {
      onRequest: [find, requireScope(read)],
      schema: {
        tags: [tag],
        operationId: `get${name}`,
        summary: `Get one ${noun}`,
        description: `A ${noun} that the API key may not see is answered 404, like one that does not exist.`,
        response: { 200: shape, 304: z.null().describe('Not modified'), ...problems(403, 404) },
      },
    },
    async (request, reply) => {
      const shown = await sendOne(request.record as Records[C], reply);
      const isKnown = matchesEtag(request.headers['if-none-match'], reply.getHeader('etag') as string);
      return isKnown ? reply.code(304).send() : shown;
    },
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
          summary: `Change one ${noun}`,
          description:
            'A merge patch (RFC 7396): members that are left out stay as they are. With the `ETag` it was read with as `If-Match` it is changed only if it is still the same.',
          body: patch,
          response: { 200: shape, ...problems(400, 403, 404, 412, 413, 415) },
        },
      },
      async (request, reply) => {
        const since = performance.now();
        const wanted = request.body as Partial<Records[C]>;
        checkRootMembers(request.principal, wanted, routes.rootMembers);
        const { principal } = request;
        const ifMatch = request.headers['if-match'];
        checkIfMatch(ifMatch, shape, request.record);
        routes.mayPatch?.(principal, wanted, request.record as Records[C]);
        const prepared = (await routes.prepare?.(request.record as Records[C], wanted)) ?? wanted;
        const changes = routes.addChanges?.(principal, prepared) ?? prepared;
        const { redis } = deps.directory;
        const change = (found: Records[C]) => {
          // Other requests may have changed it since it was read: the audit list tells what this one replaces.
          request.record = found;
          checkIfMatch(ifMatch, shape, found);
          routes.mayPatch?.(principal, wanted, found);
          return routes.complete?.(found, changes) ?? changes;
        };
        const whenFull =
          principal.kind === 'root' && Object.keys(wanted).every((member) => LIMITS.has(member));
        const old = request.record as Records[C];
        const write = async () => {
          // It may have waited for a name server, and for its turn.
          await readmit(request, since);
          const record = await patchRecord(redis, collection, request.record.id, change, { whenFull });
          request.changed = record;
          await routes.onChange?.(record, changes);
          return record;
        };
        return sendOne(await inTurn(request, old, write), reply);
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
        description:
          'From the answer on it is gone; what it has kept is erased in the background. With `If-Match` it is deleted only if it is still as it was read.',
        querystring: z.strictObject({
          cascade: z
            .enum(['true', 'false'])
            .optional()
            .describe(
              collection === 'api-keys'
                ? 'Whether what it has made goes too; to be said when it has made API keys or webhooks'
                : 'Whether everything beneath it goes too',
            ),
        }),
        response: {
          204: z.null().describe('It is gone'),
          ...(collection === 'messenger-accounts' ? orderProblems : problems)(400, 403, 404, 409, 412, 429),
        },
      },
    },
    async (request, reply) => {
      const { cascade } = request.query as { cascade?: 'true' | 'false' };
      const ifMatch = request.headers['if-match'];
      const check = ifMatch === undefined ? null : (found: Records[C]) => checkIfMatch(ifMatch, shape, found);
      const isDeleted = await deleteTree(deps, request, collection, request.record as Records[C], {
        cascade: cascade === undefined ? null : cascade === 'true',
        check,
      });
      // Of several requests with the same `If-Match`, one alone has found the record as it was read.
      if (!isDeleted && check !== null) throw notFound(collection);
      return reply.code(204).send();
    },
  );
}
