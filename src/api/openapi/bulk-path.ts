import type { JsonSchema } from '../../tl/json-schema.ts';

const text = { type: 'string' };
const problem = { $ref: '#/components/schemas/Problem' };

/** The path of calls that are made together. */
export function bulkPath(): Record<string, unknown> {
  return {
    '/workspaces/{workspaceId}/calls': {
      post: {
        operationId: 'callMany',
        tags: ['Method calls'],
        summary: 'Make up to 100 calls at once',
        description:
          'The calls run side by side; each is answered in its place and for itself, whatever becomes of the others. With `Prefer: respond-async` each is taken in as an async call and answered 202.',
        parameters: [
          { name: 'workspaceId', in: 'path', required: true, schema: text },
          { name: 'Prefer', in: 'header', required: false, schema: text },
          {
            name: 'validate',
            in: 'query',
            required: false,
            description: '`only` checks each call and runs none: what is right is answered `{"valid":true}`',
            schema: { ...text, enum: ['only'] },
          },
        ],
        requestBody: {
          required: true,
          content: json(
            object({ calls: { type: 'array', minItems: 1, maxItems: 100, items: wanted() } }, ['calls']),
          ),
        },
        responses: {
          200: {
            description: 'An answer for each call, in their order',
            content: json(object({ results: { type: 'array', items: answered() } }, ['results'])),
          },
          ...Object.fromEntries(
            Object.entries({
              400: 'The body is wrong, and nothing has run',
              401: 'No valid API key',
              403: 'The API key lacks the scope',
              404: 'No such workspace, or the API key may not see it',
              413: 'The body is too large',
              415: 'The body is not JSON',
              429: 'The workspace or the API key asks for too much; see Retry-After',
              503: 'Not now',
            }).map(([status, description]) => [
              status,
              { description, content: { 'application/problem+json': { schema: problem } } },
            ]),
          ),
        },
      },
    },
  };
}

function wanted(): JsonSchema {
  return object(
    {
      accountId: { ...text, maxLength: 100 },
      method: { ...text, maxLength: 100, description: 'Such as `messages.sendMessage`' },
      params: { type: 'object', description: 'In TL-shaped JSON' },
      idempotencyKey: { ...text, maxLength: 255, description: 'What `Idempotency-Key` is to a single call' },
    },
    ['accountId', 'method', 'params'],
  );
}

function answered(): JsonSchema {
  const result = { type: 'object', properties: { _: text }, required: ['_'] };
  const accepted = object({ id: text, status: text }, ['id', 'status']);
  const valid = object({ valid: { type: 'boolean' } }, ['valid']);
  const done = object({ result, txid: { type: 'integer', format: 'int64' } }, ['result', 'txid']);
  return object(
    {
      callId: text,
      status: { type: 'integer', description: 'What the call would have been answered with by itself' },
      body: { oneOf: [done, accepted, valid, problem] },
    },
    ['callId', 'status', 'body'],
  );
}

function json(schema: JsonSchema): JsonSchema {
  return { 'application/json': { schema } };
}

function object(properties: Record<string, JsonSchema>, required: string[]): JsonSchema {
  return { type: 'object', properties, required, additionalProperties: false };
}
