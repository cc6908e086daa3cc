import { IDEMPOTENCY_KEY_MAX } from '../calls/idempotency-key.ts';
import { WAIT_MAX_SECONDS } from '../calls/prefer.ts';
import { AHEAD_MAX_DAYS } from '../calls/schedule.ts';

const text = { type: 'string' };

/** The content of a failure. */
export const PROBLEM_CONTENT = { 'application/problem+json': { schema: refer('schemas', 'Problem') } };

/** The failures of a call, by status. */
export const CALL_FAILURES: Readonly<Record<string, string>> = {
  400: 'The body or the params are wrong, or the messenger refuses them',
  401: 'No valid API key',
  403: 'The API key lacks the scope, or the messenger forbids it',
  404: 'No such workspace, account or method, or the API key may not see it',
  406: 'The messenger refuses it',
  409: 'Not in the present state',
  410: 'The call took effect before, and its reply was too large to be kept',
  413: 'The body is too large',
  415: 'The body is not JSON',
  422: 'The Idempotency-Key was used for another payload',
  429: 'The messenger asks to wait, or the workspace or the API key asks for too much; see Retry-After',
  501: 'The method is known but not executed',
  502: 'The messenger failed, or it is not known whether the call took effect',
  503: 'Too much is under way; see Retry-After',
  504: 'The call did not run in time and never will',
  507: 'The workspace keeps as many bytes as it may: delete something, or have its budget raised',
};

/** The parts that the operations of calls share, as under `#/components`. */
export const CALL_PARTS = {
  parameters: {
    WorkspaceId: inPath('workspaceId'),
    AccountId: inPath('accountId'),
    Method: inPath('method'),
    IdempotencyKey: {
      name: 'Idempotency-Key',
      in: 'header',
      description:
        'The same key with the same payload gets the recorded answer, for 24 hours. A read runs again if its answer was larger than 4 KiB; after anything else with an answer larger than 64 KiB the repeat gets 410 `reply_not_kept`, with the txid',
      schema: { ...text, maxLength: IDEMPOTENCY_KEY_MAX },
    },
    Prefer: {
      name: 'Prefer',
      in: 'header',
      description: `\`respond-async\` answers 202 with the id of the call instead of its result; \`respond-async, wait=10\` waits so many seconds first, at most ${WAIT_MAX_SECONDS}`,
      schema: text,
    },
    Validate: {
      name: 'validate',
      in: 'query',
      description: '`only` checks the call in every way and does not run it: the answer is `{"valid":true}`',
      schema: { ...text, enum: ['only'] },
    },
  },
  headers: {
    CallId: { schema: text, description: 'The call; every answer has one' },
    StreamNextOffset: {
      schema: text,
      description: 'The update stream up to here holds all updates that the call caused',
    },
  },
  schemas: {
    ScheduleAt: {
      ...text,
      format: 'date-time',
      description: `Not to run before this time, at most ${AHEAD_MAX_DAYS} days ahead; the call is then an async one`,
    },
    ExpiresAt: {
      ...text,
      format: 'date-time',
      description: 'When an async call expires that has not been run; a day after it may run, by default',
    },
    Txid: { type: 'integer', format: 'int64', minimum: 0, description: 'The transaction number' },
    AcceptedCall: closed({ id: text, status: text }),
    ValidCall: closed({ valid: { type: 'boolean' } }),
    AnyResult: {
      type: 'object',
      properties: { _: text },
      required: ['_'],
      additionalProperties: true,
    },
  },
  responses: {
    CallAccepted: {
      description: 'The call will be run, whatever happens; `GET /v1/calls/{id}` tells how it stands',
      headers: {
        Location: { schema: text, description: 'Where the call can be read' },
        'Preference-Applied': { schema: text },
      },
      content: json(refer('schemas', 'AcceptedCall')),
    },
    ...Object.fromEntries(
      Object.entries(CALL_FAILURES).map(([status, description]) => [
        `CallFailed${status}`,
        { description, content: PROBLEM_CONTENT },
      ]),
    ),
  },
};

/** A reference to a component. */
export function refer(kind: 'schemas' | 'parameters' | 'responses' | 'headers', name: string) {
  return { $ref: `#/components/${kind}/${name}` };
}

/** The content of a JSON body. */
export function json(schema: object, example?: object) {
  return { 'application/json': { schema, ...(example && { example }) } };
}

/** The schema of an object with these members and no others. */
export function closed(members: Record<string, object>, optional: Record<string, object> = {}) {
  return {
    type: 'object',
    properties: { ...members, ...optional },
    required: Object.keys(members),
    additionalProperties: false,
  };
}

function inPath(name: string) {
  return { name, in: 'path', required: true, schema: text };
}
