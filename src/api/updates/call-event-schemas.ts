import { CALL_EVENTS, type CallEventKind } from '../../call-events.ts';
import type { JsonSchema } from '../../tl/json-schema.ts';
import type { UpdateSchema } from '../../tl/update-schemas.ts';

const text = { type: 'string' };

const result = {
  type: 'object',
  description: 'The result; absent where it is larger than 64 KiB, and is then read with the call',
};
const status = { enum: ['failed', 'canceled', 'expired'] };
const error = { type: 'object', description: 'The problem document' };

const SCHEMAS: Record<CallEventKind, JsonSchema> = {
  'call.succeeded': event('call.succeeded', {}, { result }),
  'call.failed': event('call.failed', { status, error }, {}),
};

/** The schemas of the events of async calls. */
export function callEventSchemas(): UpdateSchema[] {
  const kinds = Object.keys(SCHEMAS) as CallEventKind[];
  return kinds.map((kind) => ({ kind, description: CALL_EVENTS[kind], schema: SCHEMAS[kind] }));
}

function event(
  kind: CallEventKind,
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
