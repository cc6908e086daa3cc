import { messengerProblem } from '../../messenger-problem.ts';
import { isReadOnly } from '../../tl/is-read-only.ts';
import { type Components, type JsonSchema, paramsSchema, resultSchema } from '../../tl/json-schema.ts';
import { findMethod, type TlMethod } from '../../tl/methods.ts';
import { CALL_FAILURES, failureHeaders, PROBLEM_CONTENT } from './call-parts.ts';
import { EXAMPLES } from './examples.ts';
import { referHeaders } from './headers.ts';
import { SANDBOX_DIFFERENCES } from './sandbox-differences.ts';
import { closed, json, refer } from './schema-parts.ts';

const CALL_PATH = '/workspaces/{workspaceId}/messenger-accounts/{accountId}/call';

const SUCCESS_HEADERS = referHeaders([
  'Call-Id',
  'Stream-Next-Offset',
  'Idempotency-Replayed',
  'RateLimit',
  'RateLimit-Policy',
]);

/** The paths of single calls: one for each executed method, and the general one for all methods. */
export function callPaths(components: Components): Record<string, unknown> {
  const executed = Object.entries(EXAMPLES).flatMap(([name, example]) => {
    const method = findMethod(name);
    return method === null
      ? []
      : [[`${CALL_PATH}/${name}`, { post: methodOperation(method, example, components) }]];
  });
  return Object.fromEntries([...executed, [`${CALL_PATH}/{method}`, { post: generalOperation() }]]);
}

function methodOperation(method: TlMethod, example: object | null, components: Components): JsonSchema {
  return operation({
    id: method.name,
    summary: method.purpose || method.name,
    description: describe(method, example),
    parameters: ['WorkspaceId', 'AccountId'],
    params: paramsSchema(method, components),
    example,
    result: resultSchema(method, components),
    failures: messengerFailures(method),
  });
}

function generalOperation(): JsonSchema {
  return operation({
    id: 'call',
    summary: 'Call any method of the TL schema',
    description:
      'For methods without an operation of their own. A driver may execute them all the same; if it does not, the answer is 501. `GET /v1/methods/{name}` has the schema of the params.',
    parameters: ['WorkspaceId', 'AccountId', 'Method'],
    params: {
      type: 'object',
      description: 'The params of the method, in TL-shaped JSON',
      additionalProperties: true,
    },
    example: null,
    result: refer('schemas', 'AnyResult'),
    failures: new Map(),
  });
}

interface Operation {
  id: string;
  summary: string;
  description: string;
  parameters: string[];
  params: JsonSchema;
  example: object | null;
  result: JsonSchema;
  /** The messenger's errors, each a line of Markdown, by the status that the API gives them. */
  failures: ReadonlyMap<string, string[]>;
}

function operation({
  id,
  summary,
  description,
  parameters,
  params,
  example,
  result,
  failures,
}: Operation): JsonSchema {
  const schedule = { scheduleAt: refer('schemas', 'ScheduleAt'), expiresAt: refer('schemas', 'ExpiresAt') };
  const failed = Object.entries(CALL_FAILURES).map(([status, meaning]) => {
    const lines = failures.get(status);
    if (lines === undefined) return [status, refer('responses', `CallFailed${status}`)];
    const description = `${meaning}:\n${lines.map((line) => `- ${line}`).join('\n')}`;
    return [status, { description, headers: failureHeaders(status), content: PROBLEM_CONTENT }];
  });
  return {
    operationId: id,
    tags: ['Method calls'],
    summary,
    description,
    parameters: [...parameters, 'IdempotencyKey', 'Prefer', 'Validate'].map((name) =>
      refer('parameters', name),
    ),
    requestBody: {
      required: true,
      content: json(closed({ params }, schedule), example === null ? undefined : { params: example }),
    },
    responses: {
      200: {
        description: 'The result and the transaction number, or that the call is valid',
        headers: SUCCESS_HEADERS,
        content: json({
          oneOf: [closed({ result, txid: refer('schemas', 'Txid') }), refer('schemas', 'ValidCall')],
        }),
      },
      202: refer('responses', 'CallAccepted'),
      ...Object.fromEntries(failed),
    },
  };
}

function describe({ name, returns }: TlMethod, example: object | null): string {
  const repeat = isReadOnly(name)
    ? 'It only reads, so it may be repeated.'
    : 'With an `Idempotency-Key` it may be repeated without taking effect twice.';
  // Without params, an example contains no ids of an account.
  const hasIds = example !== null && Object.keys(example).length > 0;
  const ownExample = hasIds
    ? ` The ids in the example are those of one account; \`GET /v1/methods/${name}?messengerAccountId=…\` has an example that succeeds for yours, if there is one.`
    : '';
  const difference = SANDBOX_DIFFERENCES[name];
  const sandbox = difference === undefined ? '' : ` In the sandbox: ${difference}`;
  return `The method \`${name}\` of the TL schema, which gives \`${returns}\`. ${repeat}${ownExample}${sandbox}`;
}

function messengerFailures({ name, throws }: TlMethod): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const { name: error, comment } of throws) {
    const { status, code } = messengerProblem(error.replace('%d', '1'), name);
    const lines = found.get(String(status)) ?? [];
    // The code of a wait has no number; other numbers are part of the code.
    lines.push(`\`${status === 429 ? code : error}\`${comment === '' ? '' : ` ${comment}`}`);
    found.set(String(status), lines);
  }
  return found;
}
