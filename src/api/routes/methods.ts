import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import * as z from 'zod';
import { findDriverMethods } from '../../directory/driver-methods.ts';
import { isReadOnly } from '../../tl/is-read-only.ts';
import { findMethod } from '../../tl/methods.ts';
import { findOwnAccount } from '../calls/method-account.ts';
import { methodNameOf, rankMethods, SEARCH_MAX, wordsOf } from '../calls/method-search.ts';
import type { ApiDeps } from '../deps.ts';
import { pageOnlyQuery, pageRequest } from '../lists/list-query.ts';
import { linkPages } from '../lists/page-links.ts';
import { pageOfNames } from '../lists/page-of-names.ts';
import { accountQuery, methodBrief } from '../records/method-shapes.ts';
import { pageOf, problems } from '../records/shapes.ts';

const methodsQuery = pageOnlyQuery.extend({
  messengerAccountId: accountQuery.describe('`executed` is about the driver of this account'),
  executed: z
    .enum(['true', 'false'], 'Either true or false is needed, once')
    .optional()
    .describe('Only methods that workers execute, or only the others'),
  search: z
    .string('Give it once')
    .max(SEARCH_MAX, `At most ${SEARCH_MAX} characters`)
    .refine((text) => wordsOf(text).length > 0, 'A letter or digit is needed, such as sendMessage')
    .optional()
    .describe(
      'Only methods with each of these words in their name or purpose, such as `sendMessage` or `pinned message`. Best first: those whose name it is, then those whose names have the words',
    ),
});

/** `/v1/methods`: the methods in brief. */
export function addMethodsRoute(app: FastifyInstance, deps: ApiDeps): void {
  const { reads, directory } = deps;
  app.withTypeProvider<ZodTypeProvider>().get(
    '/v1/methods',
    {
      schema: {
        tags: ['Methods'],
        operationId: 'listMethods',
        summary: 'List or search the methods',
        description:
          'In brief and by name, or by relevance with `search`. `GET /v1/methods/{name}` tells all of one.',
        querystring: methodsQuery,
        response: { 200: pageOf(methodBrief, 'MethodPage'), ...problems(400, 403, 404, 429) },
      },
    },
    async (request, reply) => {
      const { messengerAccountId, executed, search = '', ...query } = request.query;
      const account =
        messengerAccountId === undefined ? null : await findOwnAccount(deps, request, messengerAccountId);
      const wanted = pageRequest(query);
      const words = wordsOf(search);
      const list = ['methods', messengerAccountId ?? '', executed ?? '', ...words].join('\0');
      const isExecuted = await findDriverMethods(directory.redis, account?.driver ?? null);
      return reads.run(request, async () => {
        const found = rankMethods(words).filter(
          (rankedName) =>
            executed === undefined || isExecuted.has(methodNameOf(rankedName)) === (executed === 'true'),
        );
        const { data, ...position } = pageOfNames(directory.cursors, list, found, wanted);
        linkPages(deps.config, request, reply, position);
        const shown = data.map(methodNameOf).map((name) => ({
          name,
          purpose: findMethod(name)?.purpose ?? '',
          executed: isExecuted.has(name),
          readOnly: isReadOnly(name),
        }));
        return { data: shown, ...position };
      });
    },
  );
}
