import { IDEMPOTENCY_KEY_MAX } from '../calls/idempotency-key.ts';
import { WAIT_MAX_SECONDS } from '../calls/prefer.ts';
import { AHEAD_MAX_DAYS } from '../calls/schedule.ts';
import { HEADER_COMPONENTS, headersOf, referHeaders } from './headers.ts';
import { closed, json, refer } from './schema-parts.ts';

const text = { type: 'string' };

/** The content of a failure. */
export const PROBLEM_CONTENT = { 'application/problem+json': { schema: refer('schemas', 'Problem') } };

/** The failures of a call, by status. */
export const CALL_FAILURES: Readonly<Record<string, string>> = {
  400: 'The body or the params are wrong, or the messenger refuses them',
  401: 'No valid API key',
  403: 'The API key lacks the scope, or the messenger forbids it',
  404: 'No such workspace, account or method, or the API key may not see it',
  409: 'Not in the present state',
  410: 'The call took effect before, and its reply was too large to be kept',
  413: 'The body is too large',
  415: 'The body is not JSON',
  422: 'The Idempotency-Key was used for another payload',
  429: 'The messenger asks to wait, or the workspace or the API key asks for too much; see Retry-After',
  500: 'Switchboard failed',
  501: 'The method is known but not executed',
  502: 'The messenger failed, or it is not known whether the call took effect',
  503: 'Too much is under way; see Retry-After',
  504: 'The call did not run in time and never will',
  507: 'The workspace keeps as many bytes as it may: delete something, or have its budget raised',
};

/** The parts that the operations of calls share, as under `#/components`. */
export const CALL_PARTS = {
  parameters: {
    WorkspaceId: inPath('workspaceId', 'The id of the workspace'),
    AccountId: inPath('accountId', 'The id of a messenger account of the workspace'),
    Method: inPath('method', 'The full name of the method, such as `messages.sendMessage`'),
    IdempotencyKey: {
      name: 'Idempotency-Key',
      in: 'header',
      description:
        'The same key with the same payload gets the recorded answer, for 24 hours. Larger answers are not kept: a read runs again if its answer had more than 4 KiB, and any other call gets 410 `reply_not_kept`, with the txid, if its answer had more than 64 KiB. In a full workspace a call that has changed nothing runs again, too',
      schema: { ...text, maxLength: IDEMPOTENCY_KEY_MAX },
    },
    Prefer: {
      name: 'Prefer',
      in: 'header',
      description: `\`respond-async\` answers 202 with the id of the call instead of its result; \`respond-async, wait=10\` waits so many seconds first, at most ${WAIT_MAX_SECONDS}. If it fails by then and has an \`Idempotency-Key\`, its problem is not \`retryable\`: repeats get the same call`,
      schema: text,
    },
    Validate: {
      name: 'validate',
      in: 'query',
      description: '`only` checks the call in every way and does not run it: the answer is `{"valid":true}`',
      schema: { ...text, enum: ['only'] },
    },
  },
  headers: HEADER_COMPONENTS,
  schemas: {
    ScheduleAt: {
      ...text,
      format: 'date-time',
      description: `Not to run before this time, at most ${AHEAD_MAX_DAYS} days ahead; the call is then an async one`,
    },
    ExpiresAt: {
      ...text,
      format: 'date-time',
      description: 'When an async call expires if it has not run; by default, a day after it may run',
    },
    Txid: {
      type: 'integer',
      format: 'int64',
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'The transaction number',
    },
    AcceptedCall: {
      ...closed({ id: text, status: { type: 'string', enum: ['queued', 'running'] } }),
      description: 'A call that will be run, or that has not ended within the preferred wait',
    },
    ValidCall: { ...closed({ valid: { type: 'boolean' } }), description: 'What `validate=only` answers' },
    AnyResult: {
      type: 'object',
      description: 'A TL object',
      properties: { _: text },
      required: ['_'],
      additionalProperties: true,
    },
  },
  responses: {
    CallAccepted: {
      description:
        'The call is recorded and will run, unless it expires or is canceled; `GET /v1/calls/{id}` has its status',
      headers: { ...referHeaders(['Call-Id', 'Preference-Applied']), ...headersOf('call', '202') },
      content: json(refer('schemas', 'AcceptedCall')),
    },
    ...Object.fromEntries(
      Object.entries(CALL_FAILURES).map(([status, description]) => [
        `CallFailed${status}`,
        { description, headers: failureHeaders(status), content: PROBLEM_CONTENT },
      ]),
    ),
  },
};

/** The headers of a failed call. `Stream-Next-Offset` is one for any status, because a call may fail after it has run. */
export function failureHeaders(status: string): Record<string, object> {
  return { ...referHeaders(['Call-Id', 'Stream-Next-Offset']), ...headersOf('call', status) };
}

function inPath(name: string, description: string) {
  return { name, in: 'path', required: true, description, schema: text };
}
