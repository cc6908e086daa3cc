import { type Components, type JsonSchema, paramsSchema, resultSchema } from '../../tl/json-schema.ts';
import { findMethod, type TlMethod } from '../../tl/methods.ts';
import { DOCUMENTED_METHODS } from './documented-methods.ts';

const CALL_PATH = '/workspaces/{workspaceId}/messenger-accounts/{accountId}/call';

const MEANINGS: Record<string, string> = {
  400: 'The params are wrong, or the messenger refuses them',
  401: 'No valid API key',
  403: 'The API key lacks the scope, or the messenger forbids it',
  404: 'No such workspace, account or method, or the API key may not see it',
  409: 'Not in the present state',
  410: 'The call took effect before, and its reply was too large to be kept',
  413: 'The body is too large',
  415: 'The body is not JSON',
  422: 'The Idempotency-Key was used for another payload',
  429: 'The messenger asks to wait, or the API key has made too many requests; see Retry-After',
  501: 'The method is known but not executed',
  502: 'The messenger failed, or it is not known whether the call took effect',
  503: 'Too much is under way; see Retry-After',
  507: 'The workspace keeps as many bytes as it may: delete something, or have its budget raised',
  504: 'The call did not run in time and never will',
};

const PATH_PARAMETERS = ['workspaceId', 'accountId'].map(parameter);
const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'The same key with the same payload gets the recorded answer, for 24 hours. A read runs again if its answer was larger than 4 KiB; after anything else with an answer larger than 64 KiB the repeat gets 410 `reply_not_kept`, with the txid',
  schema: { type: 'string', maxLength: 255 },
};

const PREFER = {
  name: 'Prefer',
  in: 'header',
  required: false,
  description:
    '`respond-async` answers 202 with the id of the call instead of its result; `respond-async, wait=10` waits so many seconds first',
  schema: { type: 'string' },
};
const VALIDATE = {
  name: 'validate',
  in: 'query',
  required: false,
  description: '`only` checks the call in every way and does not run it: the answer is `{"valid":true}`',
  schema: { type: 'string', enum: ['only'] },
};

const scheduleAt = {
  type: 'string',
  format: 'date-time',
  description: 'Not to run before this time, at most 30 days ahead; the call is then an async one',
};
const expiresAt = {
  type: 'string',
  format: 'date-time',
  description: 'When an async call expires that has not been run; a day after it may run, by default',
};

/** The paths of method calls: one for each documented method, and the general one for all. */
export function callPaths(components: Components): Record<string, unknown> {
  const documented = DOCUMENTED_METHODS.map(findMethod).filter((method) => method !== null);
  return Object.fromEntries([
    ...documented.map((method) => [
      `${CALL_PATH}/${method.name}`,
      { post: callOperation(method, components) },
    ]),
    [`${CALL_PATH}/{method}`, { post: generalOperation() }],
  ]);
}

function callOperation(method: TlMethod, components: Components): JsonSchema {
  return operation({
    id: method.name,
    tag: 'Method calls',
    summary: method.purpose || method.name,
    parameters: PATH_PARAMETERS,
    params: paramsSchema(method, components),
    result: resultSchema(method, components),
  });
}

function generalOperation(): JsonSchema {
  return operation({
    id: 'call',
    tag: 'Method calls',
    summary: 'Call any method of the TL schema',
    parameters: [...PATH_PARAMETERS, parameter('method')],
    params: {
      type: 'object',
      description: 'The params of the method, in TL-shaped JSON',
    },
    result: {
      type: 'object',
      properties: { _: { type: 'string' } },
      required: ['_'],
    },
  });
}

interface Operation {
  id: string;
  tag: string;
  summary: string;
  parameters: JsonSchema[];
  params: JsonSchema;
  result: JsonSchema;
}

function operation({ id, tag, summary, parameters, params, result }: Operation): JsonSchema {
  const failures = Object.entries(MEANINGS).map(([status, description]) => {
    const schema = { $ref: '#/components/schemas/Problem' };
    return [status, { description, content: { 'application/problem+json': { schema } } }];
  });
  return {
    operationId: id,
    tags: [tag],
    summary,
    parameters: [...parameters, IDEMPOTENCY_KEY, PREFER, VALIDATE],
    requestBody: { required: true, content: json(object({ params }, { scheduleAt, expiresAt })) },
    responses: {
      200: {
        description: 'The result and the transaction number',
        headers: {
          'Call-Id': {
            schema: { type: 'string' },
            description: 'The call; every answer has one',
          },
          'Stream-Next-Offset': {
            schema: { type: 'string' },
            description: 'Whoever has read the update stream up to here has seen what the call did',
          },
        },
        content: json(
          object({
            result,
            txid: { type: 'integer', format: 'int64', minimum: 0 },
          }),
        ),
      },
      202: {
        description: 'The call will be run, whatever happens; `GET /v1/calls/{id}` tells how it stands',
        headers: {
          Location: { schema: { type: 'string' }, description: 'Where the call can be read' },
          'Preference-Applied': { schema: { type: 'string' } },
        },
        content: json(object({ id: { type: 'string' }, status: { type: 'string' } })),
      },
      ...Object.fromEntries(failures),
    },
  };
}

function parameter(name: string): JsonSchema {
  return { name, in: 'path', required: true, schema: { type: 'string' } };
}

function json(schema: JsonSchema): JsonSchema {
  return { 'application/json': { schema } };
}

function object(
  properties: Record<string, JsonSchema>,
  optional: Record<string, JsonSchema> = {},
): JsonSchema {
  return {
    type: 'object',
    properties: { ...properties, ...optional },
    required: Object.keys(properties),
    additionalProperties: false,
  };
}
