import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import * as z from 'zod';
import { Problem } from '../../problem.ts';
import { validateObject } from '../../tl/validate-object.ts';
import type { ApiDeps } from '../deps.ts';
import { requireScope } from '../plugins/principal.ts';
import { requireChangeable, requireRecord } from '../plugins/require-record.ts';
import { sandboxAccount } from '../records/sandbox-account.ts';
import { orderProblems } from '../records/shapes.ts';

const NOT_SANDBOX = 'Only sandbox accounts have sponsored messages to set.';

const URL = '/v1/messenger-accounts/:id/sandbox/sponsored-messages';
const MESSAGES_MAX = 50;
const MESSAGE_LENGTH_MAX = 8_000;
// The members of a sponsoredMessage.
const MEMBERS_MAX = 16;

const ID = /^[1-9]\d*$/;

const count = z.int().min(0).max(1_000_000);
const target = {
  channelId: z.int().min(1).exactOptional().describe('A channel; left out: the seeded one'),
  botId: z.int().min(1).exactOptional().describe('A bot instead of a channel'),
};
const spacing = {
  postsBetween: count.exactOptional().describe('Posts between two sponsored messages'),
  startDelay: count.exactOptional().describe('Seconds before the first'),
  betweenDelay: count.exactOptional().describe('Seconds between two'),
};
const message = z
  .looseObject({ title: z.string().max(256), message: z.string().max(1_024), url: z.string().max(2_000) })
  .refine((given) => JSON.stringify(given).length <= MESSAGE_LENGTH_MAX, {
    error: `As JSON, it is longer than ${MESSAGE_LENGTH_MAX} characters`,
  })
  .meta({ maxProperties: MEMBERS_MAX })
  .describe('A `sponsoredMessage`; `randomId` and `buttonText` may be left out');

const isOneTarget = ({ channelId, botId }: { channelId?: number; botId?: number }) =>
  channelId === undefined || botId === undefined;
const ONE_TARGET = { error: 'Give one of channelId and botId', path: ['botId'] };
const body = z
  .strictObject({ ...target, ...spacing, messages: z.array(message).max(MESSAGES_MAX) })
  .refine(isOneTarget, ONE_TARGET);

function queryId(description: string) {
  return z
    .string('Give it once')
    .refine((text) => ID.test(text) && Number.isSafeInteger(Number(text)), 'An id in digits is needed')
    .transform(Number)
    .exactOptional()
    .meta({ type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description });
}
const query = z
  .strictObject({
    channelId: queryId('A channel; left out: the seeded one'),
    botId: queryId('A bot instead of a channel'),
  })
  .refine(isOneTarget, ONE_TARGET);
const answer = z.object({
  ...target,
  ...spacing,
  messages: z.array(z.looseObject({ randomId: z.string(), views: z.int(), clicks: z.int() })),
});

/** `/v1/messenger-accounts/{id}/sandbox/sponsored-messages`: the ads of a channel or a bot, and who has seen them. */
export function addSponsoredMessagesRoutes(
  app: FastifyInstance,
  { directory, accountControl, orders }: ApiDeps,
): void {
  const find = requireRecord(directory, 'messenger-accounts');
  const typed = app.withTypeProvider<ZodTypeProvider>();
  typed.get(
    URL,
    {
      onRequest: [find, requireScope('accounts:read')],
      schema: {
        tags: ['Sandbox'],
        operationId: 'listSponsoredMessages',
        summary: 'List the sponsored messages of a channel or bot',
        description: 'Those that the sandbox shows, with their views and clicks.',
        querystring: query,
        response: { 200: answer, ...orderProblems(400, 403, 404, 409, 429) },
      },
    },
    async (request) => {
      const account = sandboxAccount(request, NOT_SANDBOX);
      const found = await orders.run(request, account, (signal) =>
        accountControl.control(account, 'getSponsoredMessages', request.query, signal),
      );
      return found as z.output<typeof answer>;
    },
  );

  typed.put(
    URL,
    {
      onRequest: [find, requireScope('accounts:write'), requireChangeable('messenger-accounts')],
      schema: {
        tags: ['Sandbox'],
        operationId: 'replaceSponsoredMessages',
        summary: 'Replace the sponsored messages of a channel or bot',
        description: 'What `messages.getSponsoredMessages` shows from now on; views and clicks begin anew.',
        body,
        response: { 200: answer, ...orderProblems(400, 403, 404, 409, 413, 415, 429, 507) },
      },
    },
    async (request) => {
      const account = sandboxAccount(request, NOT_SANDBOX);
      const messages = request.body.messages.map(toSponsoredMessage);
      const order = { ...request.body, messages };
      const set = await orders.run(request, account, (signal) =>
        accountControl.control(account, 'setSponsoredMessages', order, signal),
      );
      return set as z.output<typeof answer>;
    },
  );
}

function toSponsoredMessage(given: z.output<typeof message>, index: number): object {
  const randomId = randomBytes(16).toString('base64');
  const whole = { randomId, buttonText: 'Open', ...given };
  const checked = validateObject('sponsoredMessage', whole, `/messages/${index}`);
  if (checked.ok) return checked.value;
  throw new Problem('invalid_body', { errors: checked.errors });
}
