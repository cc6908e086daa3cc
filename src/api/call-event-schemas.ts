import type { JsonSchema } from '../tl/json-schema.ts';
import type { UpdateSchema } from '../tl/update-schemas.ts';

const text = { type: 'string' };

/** The kinds of events that tell of the end of a call that nobody waits for. */
export function callEventSchemas(): UpdateSchema[] {
  const result = {
    type: 'object',
    description: 'The result; absent where it is larger than 64 KiB, and is then read with the call',
  };
  const status = { enum: ['failed', 'canceled', 'expired'] };
  const error = { type: 'object', description: 'The problem document' };
  return [
    {
      kind: 'call.succeeded',
      description: 'An async call has succeeded',
      schema: event('call.succeeded', {}, { result }),
    },
    {
      kind: 'call.failed',
      description: 'An async call has ended without a result: it failed, was canceled or expired',
      schema: event('call.failed', { status, error }, {}),
    },
  ];
}

function event(
  kind: string,
  always: Record<string, JsonSchema>,
  sometimes: Record<string, JsonSchema>,
): JsonSchema {
  const properties = { _: { const: kind }, callId: text, method: text, ...always };
  return {
    type: 'object',
    properties: { ...properties, ...sometimes },
    required: Object.keys(properties),
    additionalProperties: false,
  };
}
