import { BULK_CALLS_MAX, NAME_MAX } from '../calls/bulk-body.ts';
import { IDEMPOTENCY_KEY_MAX } from '../calls/idempotency-key.ts';
import { BODY_EXAMPLES } from './body-examples.ts';
import { referHeaders } from './headers.ts';
import { closed, json, refer } from './schema-parts.ts';

const text = { type: 'string' };
const FAILURES = [400, 401, 403, 404, 413, 415, 429, 500, 503];

/** The OpenAPI path item of bulk calls, as a member under its path. */
export function bulkPath(): Record<string, unknown> {
  const calls = { type: 'array', minItems: 1, maxItems: BULK_CALLS_MAX, items: callItem() };
  const results = { type: 'array', maxItems: BULK_CALLS_MAX, items: resultItem() };
  return {
    '/workspaces/{workspaceId}/calls': {
      post: {
        operationId: 'callMany',
        tags: ['Method calls'],
        summary: `Make up to ${BULK_CALLS_MAX} calls at once`,
        description:
          'The calls run side by side. Each has its own answer, in its place, whatever becomes of the others. With `Prefer: respond-async` each is accepted as an async call, with status 202. If the request itself fails, no call has run.',
        parameters: ['WorkspaceId', 'Prefer', 'Validate'].map((name) => refer('parameters', name)),
        requestBody: { required: true, content: json(closed({ calls }), BODY_EXAMPLES.callMany) },
        responses: {
          200: {
            description: 'An answer for each call, in their order',
            headers: referHeaders(['Stream-Next-Offset', 'RateLimit', 'RateLimit-Policy']),
            content: json(closed({ results })),
          },
          ...Object.fromEntries(
            FAILURES.map((status) => [status, refer('responses', `CallFailed${status}`)]),
          ),
        },
      },
    },
  };
}

function callItem() {
  const members = {
    accountId: { ...text, maxLength: NAME_MAX, description: 'May be named `messengerAccountId` instead' },
    method: { ...text, maxLength: NAME_MAX, description: 'Such as `messages.sendMessage`' },
    params: { type: 'object', description: 'In TL-shaped JSON', additionalProperties: true },
  };
  const description = 'Stands for the header `Idempotency-Key` of a single call';
  return closed(members, { idempotencyKey: { ...text, maxLength: IDEMPOTENCY_KEY_MAX, description } });
}

function resultItem() {
  const succeeded = closed({ result: refer('schemas', 'AnyResult'), txid: refer('schemas', 'Txid') });
  const others = ['AcceptedCall', 'ValidCall', 'Problem'].map((name) => refer('schemas', name));
  return closed({
    callId: text,
    status: {
      type: 'integer',
      format: 'int32',
      minimum: 100,
      maximum: 599,
      description: 'The HTTP status of the call, as if it had been made alone',
    },
    body: { oneOf: [succeeded, ...others] },
  });
}
