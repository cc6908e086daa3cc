import * as z from 'zod';
import { RATE_LIMIT_MAX, RATE_WINDOW_SECONDS_MAX } from '../../config.ts';
import { SCOPES, type Scope } from '../../directory/scopes.ts';

const time = z.iso.datetime().describe('When, in UTC');

/** One of the scopes an API key may have. */
export const scope = z.enum(Object.keys(SCOPES) as [Scope, ...Scope[]]).meta({
  id: 'Scope',
  description: Object.entries(SCOPES)
    .map(([scopeName, meaning]) => `- \`${scopeName}\`: ${meaning}.`)
    .join('\n'),
});

const createdBy = z.string().nullable().describe('The API key that created it; null for the root key');

export const organization = z.object({ id: z.string(), name: z.string(), createdAt: time }).meta({
  id: 'Organization',
  description: 'The tenant that owns everything else',
});

/** A workspace's weight against others. */
export const weight = z
  .int()
  .min(1)
  .max(100)
  .describe(
    'Its share of the capacity while workspaces ask for more than there is; only the root key sets it',
  );

/** A cap on concurrent calls. */
export const maxConcurrentCalls = z
  .int()
  .min(1)
  .max(1_000_000)
  .nullable()
  .describe(
    'How many calls may be under way at once, over all API processes; more wait. Null for any number',
  );

/** A budget of bytes. */
export const bytesMax = z
  .int()
  .min(0)
  .max(2 ** 50)
  .nullable()
  .describe(
    'How many bytes it may keep, about; what adds to that is then refused with 507. 0 for any number, null for what the setting WORKSPACE_BYTES_MAX says; only the root key sets it',
  );

export const workspace = z
  .object({
    id: z.string(),
    name: z.string(),
    organizationId: z.string(),
    weight,
    maxConcurrentCalls,
    bytesMax,
    bytesUsed: z
      .int()
      .describe('About how many bytes it stores: state, updates, async calls, keyed replies, webhooks'),
    createdAt: time,
  })
  .meta({
    id: 'Workspace',
    description: 'A part of an organization, with an update stream of its own',
  });

export const messengerAccount = z
  .object({
    id: z.string(),
    name: z.string(),
    workspaceId: z.string(),
    driver: z.string().describe('What executes its calls'),
    status: z
      .enum(['connecting', 'active', 'unauthorized'])
      .describe('One that is `connecting` for more than five minutes was never connected: delete it'),
    userId: z.int().nullable().describe('Its user id in the messenger; null while it is `connecting`'),
    username: z.string().nullable(),
    phone: z.string().nullable(),
    bot: z.boolean(),
    strictPeers: z
      .boolean()
      .describe('Whether empty peers and wrong access hashes are refused as the messenger does'),
    maxConcurrentCalls,
    createdAt: time,
  })
  .meta({
    id: 'MessengerAccount',
    description: 'An account of a messenger, connected to a workspace',
  });

/** How often an API key may be used. */
export const rateLimit = z
  .strictObject({
    limit: z.int().min(1).max(RATE_LIMIT_MAX).describe('How many requests at once'),
    windowSeconds: z
      .int()
      .min(1)
      .max(RATE_WINDOW_SECONDS_MAX)
      .describe('In how long as many again are allowed, evenly spread'),
  })
  .meta({ id: 'RateLimit', description: 'How many requests an API key may make, over all API processes' });

export const apiKey = z
  .object({
    id: z.string(),
    name: z.string(),
    scopes: z.array(scope),
    organizationId: z.string(),
    workspaceId: z
      .string()
      .nullable()
      .describe('The workspace it is limited to; null for the whole organization'),
    expiresAt: time.nullable(),
    rateLimit: rateLimit.nullable().describe('Null for the default, KEY_RATE_LIMIT'),
    createdBy,
    createdAt: time,
  })
  .meta({ id: 'ApiKey', description: 'An API key, without its secret' });

export const newApiKey = apiKey
  .extend({
    secret: z.string().describe('The key itself, shown in this answer only'),
  })
  .meta({ id: 'NewApiKey', description: 'A new API key with its secret' });

export const webhook = z
  .object({
    id: z.string(),
    workspaceId: z.string(),
    url: z.string(),
    kinds: z.array(z.string()).nullable().describe('Only updates of these kinds are sent; null for all'),
    messengerAccountIds: z
      .array(z.string())
      .nullable()
      .describe('Only updates of these messenger accounts are sent; null for all'),
    description: z.string().nullable(),
    status: z.enum(['enabled', 'disabled']),
    disabledReason: z
      .enum(['requested', 'gone', 'failing'])
      .nullable()
      .describe('`gone`: its URL answered 410; `failing`: every attempt failed for five days'),
    disabledAt: time.nullable(),
    gap: z
      .object({
        from: z.string().describe('Updates after this offset are missing'),
        to: z.string().describe('Updates up to this offset are missing'),
        at: time,
      })
      .nullable()
      .describe('The last part of the stream that was trimmed before it was sent; null if there was none'),
    createdBy,
    createdAt: time,
  })
  .meta({ id: 'Webhook', description: 'Where the updates of a workspace are sent' });

export const delivery = z
  .object({
    id: z.string().describe('The `webhook-id` of every attempt'),
    kind: z.string().describe('The kind of update, `webhook.ping` or `webhook.gap`'),
    offset: z.string().describe('The offset of the update, or where in the stream this was sent'),
    messengerAccountId: z.string().nullable(),
    status: z.enum(['queued', 'succeeded', 'failed']),
    attempts: z
      .array(
        z.object({
          at: time,
          statusCode: z.int().nullable().describe('The status of the receiver; null without an answer'),
          durationMs: z.int(),
          error: z.string().nullable().describe('Why there was no answer'),
        }),
      )
      .describe('The last twenty'),
    nextAttemptAt: time.nullable().describe('Not before then, unless the webhook recovers sooner'),
    createdAt: time,
    settledAt: time.nullable(),
  })
  .meta({ id: 'Delivery', description: 'A message to a webhook and its attempts' });

export const newWebhook = webhook
  .extend({
    secret: z.string().describe('The secret that signs its deliveries, shown in this answer only'),
  })
  .meta({ id: 'NewWebhook', description: 'A webhook with its new secret' });

export const update = z
  .object({
    id: z.string().describe('Unique, and the same on every delivery'),
    offset: z.string().describe('Its position in the stream; sorts as text'),
    kind: z
      .string()
      .describe(
        'Such as `RawUpdateReadMessagesContents`; `call.succeeded` and `call.failed` are ends of async calls',
      ),
    timestamp: time,
    workspaceId: z.string(),
    messengerAccountId: z.string().nullable().describe('The account it is for; null for a user without one'),
    userId: z.int().optional().describe('The user it is for, if that user has no account'),
    txid: z.int().describe('The transaction number of the call that caused it'),
    update: z.looseObject({ _: z.string() }).describe('The TL object'),
    users: z
      .array(z.looseObject({ _: z.string() }))
      .describe('The users that the update mentions, as its receiver saw them then (TL `User`)'),
    chats: z
      .array(z.looseObject({ _: z.string() }))
      .describe('The basic groups and channels that it mentions (TL `Chat`)'),
  })
  .meta({ id: 'Update', description: 'Something that happened to an account' });

const fieldError = z.object({
  pointer: z.string().describe('Where in the request (RFC 6901)'),
  detail: z.string(),
});

/** The shape of every failure. */
export const problem = z
  .looseObject({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    code: z.string().describe('Stable, for programs'),
    detail: z.string().optional(),
    errors: z.array(fieldError).optional(),
    retryable: z.boolean().describe('Whether the same request may succeed later'),
    retryAfter: z.int().optional().describe('After how many seconds to try again, as `Retry-After` says'),
  })
  .meta({ id: 'Problem', description: 'A failure (RFC 9457)' });

const PAGE_ITEMS_MAX = 100;

/** A page of a list of `item`. */
export function pageOf(item: z.ZodType, id: string) {
  const cursor = z.string().nullable();
  return z
    .object({
      data: z.array(item).max(PAGE_ITEMS_MAX),
      hasMore: z.boolean().describe('Whether there is more beyond this page'),
      partial: z
        .literal(true)
        .optional()
        .describe(
          'The search for matches stopped before the page was full: it goes on with `cursors.next`, or backward with `cursors.previous`',
        ),
      cursors: z.object({
        next: cursor.describe('For `startingAfter`; null on the last page'),
        previous: cursor.describe('For `endingBefore`; null on the first page'),
      }),
    })
    .meta({ id });
}

const MEANINGS: Record<number, string> = {
  400: 'The request is wrong',
  401: 'No valid API key',
  403: 'The API key lacks the scope',
  404: 'There is no such thing, or the API key may not see it',
  409: 'Not in the present state',
  410: 'No longer kept',
  412: 'It has changed since it was read',
  413: 'The body is too large',
  415: 'The body is not JSON',
  429: 'Too many requests; see Retry-After',
  500: 'Switchboard failed',
  502: 'The messenger failed, or it is not known whether it was done',
  503: 'Not now',
  504: 'No worker has done it in time, and none will',
  507: 'The workspace keeps as many bytes as it may: delete something, or have its budget raised',
};

/** The failures of a route with a key, as response schemas; every one has 400, 401, 429, 500 and 503. */
export function problems(...statuses: number[]) {
  return failures(400, 401, 429, 500, 503, ...statuses);
}

/** The same for a route that gives a driver an order, which is done by a worker. */
export function orderProblems(...statuses: number[]) {
  return problems(502, 504, ...statuses);
}

/** Failures of these statuses, as response schemas. */
export function failures(...statuses: number[]) {
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      {
        description: MEANINGS[status] ?? 'Failure',
        content: { 'application/problem+json': { schema: problem } },
      },
    ]),
  );
}
