import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import * as z from 'zod';
import type { MessengerAccount } from '../../directory/collections.ts';
import { findDriversOf } from '../../directory/driver-methods.ts';
import { findMethod } from '../../tl/methods.ts';
import { unknownMethod } from '../calls/call-method.ts';
import { findOwnAccount } from '../calls/method-account.ts';
import { describeMethod } from '../calls/method-descriptions.ts';
import type { ApiDeps } from '../deps.ts';
import { EXAMPLES } from '../openapi/examples.ts';
import { accountQuery, method } from '../records/method-shapes.ts';
import { sendJson } from '../records/send-json.ts';
import { orderProblems } from '../records/shapes.ts';

/** `/v1/methods/{name}`: everything about a method. */
export function addMethodRoute(app: FastifyInstance, deps: ApiDeps): void {
  const { reads, directory } = deps;
  app.withTypeProvider<ZodTypeProvider>().get(
    '/v1/methods/:name',
    {
      schema: {
        tags: ['Methods'],
        operationId: 'getMethod',
        summary: 'Get one method',
        description:
          'With `messengerAccountId`, the example succeeds for that account, and `executed` is about its driver.',
        querystring: z.strictObject({
          messengerAccountId: accountQuery.describe('The account to make the example for'),
        }),
        response: { 200: method, ...orderProblems(400, 403, 404, 429) },
      },
    },
    async (request, reply) => {
      const { messengerAccountId } = request.query;
      const { name } = request.params as { name: string };
      const found = findMethod(name);
      if (found === null) throw unknownMethod(name);
      const account =
        messengerAccountId === undefined ? null : await findOwnAccount(deps, request, messengerAccountId);
      const drivers = await findDriversOf(directory.redis, found.name);
      const executed = account === null ? drivers.length > 0 : drivers.includes(account.driver);
      const params = executed ? await exampleOf(deps, request, account, found.name) : null;
      const example = params === null ? null : { params };
      const whole = await reads.run(request, async () =>
        describeMethod(found, { executed, drivers, example }),
      );
      return sendJson(reply, whole);
    },
  );
}

async function exampleOf(
  { accountControl, orders }: ApiDeps,
  request: FastifyRequest,
  account: MessengerAccount | null,
  name: string,
): Promise<object | null> {
  if (account === null) return EXAMPLES[name] ?? null;
  const answer = await orders.run(request, account, (signal) =>
    accountControl.control(account, 'getExamples', { methods: [name] }, signal),
  );
  return (answer as { examples: Record<string, object> }).examples[name] ?? null;
}
