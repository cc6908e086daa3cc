import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { MessengerAccount } from '../../directory/collections.ts';
import { findDriverMethods } from '../../directory/driver-methods.ts';
import type { PageRequest } from '../../directory/lists.ts';
import { hasScope, maySeeRecord, type Principal } from '../../directory/principal.ts';
import { getRecord, notFound } from '../../directory/records.ts';
import { MethodDescriptions } from '../calls/method-descriptions.ts';
import type { ApiDeps } from '../deps.ts';
import { listQuery, pageRequest } from '../lists/list-query.ts';
import { pageOfNames } from '../lists/page-of-names.ts';
import { lacksScope } from '../plugins/principal.ts';
import { pageOf, problems } from '../records/shapes.ts';

const ACCOUNT = 'messengerAccountId';

const method = z
  .object({
    name: z.string(),
    purpose: z.string(),
    executed: z.boolean().describe('Whether workers execute it; the others answer 501'),
    readOnly: z.boolean(),
    paramsSchema: z.looseObject({}).describe('JSON Schema of the params'),
    resultTypes: z.array(z.string()).describe('Tags of the objects it may answer with'),
    errors: z.array(
      z.object({
        code: z.string(),
        status: z.int(),
        detail: z.string().optional(),
      }),
    ),
    example: z
      .object({ params: z.looseObject({}) })
      .nullable()
      .describe('A call that succeeds once for the given account; null if there is none'),
  })
  .meta({ id: 'Method', description: 'A method of the TL schema' });

/** `/v1/methods`: the methods, with an example for an account. */
export function addMethodRoutes(app: FastifyInstance, deps: ApiDeps): void {
  const schema = {
    tags: ['Methods'],
    operationId: 'listMethods',
    summary: 'List the methods',
    querystring: listQuery(ACCOUNT),
    response: { 200: pageOf(method, 'MethodPage'), ...problems(400, 403, 404, 429) },
  };
  const { reads, directory } = deps;
  const descriptions = new MethodDescriptions();
  const { names } = descriptions;
  app.get('/v1/methods', { schema }, async (request, reply) => {
    const query = request.query as Partial<PageRequest> & {
      [ACCOUNT]?: string;
    };
    const accountId = query[ACCOUNT];
    const account = accountId === undefined ? null : await getAccount(deps, request.principal, accountId);
    const list = `methods\0${accountId ?? ''}`;
    const wanted = pageRequest(query);
    const { data: nearest } = pageOfNames(directory.cursors, list, names, wanted);
    await reads.run(request, () => descriptions.prepare(nearest));
    const count = (found: readonly string[]) => descriptions.countFitting(found);
    const { data, ...position } = pageOfNames(directory.cursors, list, names, wanted, count);
    const [executed, examples]: [ReadonlySet<string>, Examples] = await Promise.all([
      findDriverMethods(directory.redis, account?.driver ?? null),
      account === null ? {} : getExamples(deps, request, account, data),
    ]);
    const body = await reads.run(request, async () => {
      const shown = data.map((name) => descriptions.show(name, executed.has(name), examples[name]));
      return Buffer.from(`{"data":[${shown.join(',')}],${JSON.stringify(position).slice(1)}`);
    });
    return reply.type('application/json').send(body);
  });
}

async function getAccount(
  { directory }: ApiDeps,
  principal: Principal,
  id: string,
): Promise<MessengerAccount> {
  const account = await getRecord(directory.redis, 'messenger-accounts', id);
  if (!maySeeRecord(principal, 'messenger-accounts', account)) throw notFound('messenger-accounts');
  if (!hasScope(principal, 'accounts:read')) throw lacksScope('accounts:read');
  return account;
}

type Examples = Record<string, object>;

async function getExamples(
  { accountControl, orders }: ApiDeps,
  request: FastifyRequest,
  account: MessengerAccount,
  methods: string[],
) {
  const answer = await orders.run(request, account, (signal) =>
    accountControl.control(account, 'getExamples', { methods }, signal),
  );
  return (answer as { examples: Examples }).examples;
}
