import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import * as z from 'zod';
import { AUDIT_ENTRIES, AUDIT_LISTS, type AuditEntry, keptSince } from '../../control/audit.ts';
import { sourceOf } from '../../directory/lists.ts';
import { readPage } from '../../directory/page.ts';
import type { ApiDeps } from '../deps.ts';
import { orderOf } from '../lists/list-order.ts';
import { idFilter, listQuery, pageRequest } from '../lists/list-query.ts';
import { linkPages } from '../lists/page-links.ts';
import { requireScope } from '../plugins/principal.ts';
import { pageOf, problems } from '../records/shapes.ts';
import { actor } from './actor.ts';

const changedMembers = z.record(z.string(), z.unknown()).nullable();

const entry = z
  .object({
    id: z.string(),
    createdAt: z.iso.datetime().describe('When'),
    by: actor,
    action: z
      .string()
      .describe(
        '`pause`, `resume`, `drain`, `set`; of records `create`, `change`, `delete`, `rotate-secret`',
      ),
    target: z.object({ kind: z.string(), id: z.string() }),
    from: changedMembers.describe('The members that changed, with their old values'),
    to: changedMembers.describe('The members that changed, with their new values'),
    cascade: z.boolean().optional().describe('The value of `cascade` in the request to delete'),
  })
  .meta({ id: 'AuditEntry', description: 'Who has changed what, and when' });

/** `GET /v1/audit`: lists who has changed what. */
export function addAuditRoute(app: FastifyInstance, { directory, reads, config }: ApiDeps): void {
  app.withTypeProvider<ZodTypeProvider>().get(
    '/v1/audit',
    {
      onRequest: requireScope('operate'),
      schema: {
        tags: ['Operation'],
        operationId: 'listAudit',
        summary: 'List who has changed what',
        description:
          'Pauses, settings and drained workers, and changes of limits and rights of records. Changes are kept for a year: at most the last 50,000 by operators and the last 50,000 by other keys, of these 1,000 per organization.',
        querystring: listQuery.extend({
          by: idFilter.describe('Only what this API key has changed; `root` for the root key'),
          action: idFilter.describe('Only this action'),
          target: idFilter.describe('Only changes of the target with this id'),
        }),
        response: { 200: pageOf(entry, 'AuditPage'), ...problems(400, 403, 429) },
      },
    },
    async (request, reply) => {
      const { by, action, target } = request.query;
      const sets = { keys: AUDIT_LISTS, by: 'id', records: AUDIT_ENTRIES } as const;
      const parse = (text: string): AuditEntry => JSON.parse(text);
      const source = sourceOf(reads.redis, sets, parse, reads.runnerOf(request));
      const { orderName, span, isDescending } = orderOf('audit', request.query);
      // Older entries stay in Redis until another one is added.
      const oldest = { side: 'before', id: keptSince() } as const;
      const from = span.from !== null && span.from.id > oldest.id ? span.from : oldest;
      const name = ['audit', orderName, by, action, target].join('\0');
      const fits = (filter: string | undefined, value: string) => filter === undefined || filter === value;
      const matches = (one: AuditEntry) =>
        fits(by, one.by.id ?? 'root') && fits(action, one.action) && fits(target, one.target.id);
      const isFiltered = [by, action, target].some((filter) => filter !== undefined);
      const order = { name, isDescending, span: { ...span, from } };
      const wanted = pageRequest(request.query);
      const page = await readPage(directory.cursors, order, source, wanted, isFiltered ? matches : null);
      linkPages(config, request, reply, page);
      return page;
    },
  );
}
