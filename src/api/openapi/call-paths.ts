import { messengerProblem } from '../../messenger-problem.ts';
import { type Components, type JsonSchema, paramsSchema, resultSchema } from '../../tl/json-schema.ts';
import { findMethod, type TlMethod } from '../../tl/methods.ts';
import { CALL_FAILURES, closed, json, PROBLEM_CONTENT, refer } from './call-parts.ts';
import exampleParams from './example-params.json' with { type: 'json' };

const CALL_PATH = '/workspaces/{workspaceId}/messenger-accounts/{accountId}/call';

/** Example params of every method that a driver executes; null without an example. Made by `npm run docs`. */
const EXAMPLES: Readonly<Record<string, object | null>> = exampleParams;

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
    parameters: ['WorkspaceId', 'AccountId', 'Method'],
    params: {
      type: 'object',
      description: 'The params of the method, in TL-shaped JSON; `GET /v1/methods` has their schema',
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
  parameters: string[];
  params: JsonSchema;
  example: object | null;
  result: JsonSchema;
  /** The messenger's errors in words, by the status that the API gives them. */
  failures: ReadonlyMap<string, string[]>;
}

function operation({ id, summary, parameters, params, example, result, failures }: Operation): JsonSchema {
  const schedule = { scheduleAt: refer('schemas', 'ScheduleAt'), expiresAt: refer('schemas', 'ExpiresAt') };
  const failed = Object.entries(CALL_FAILURES).map(([status, description]) => {
    const own = failures.get(status);
    if (own === undefined) return [status, refer('responses', `CallFailed${status}`)];
    const told = `${description}:\n${own.map((line) => `- ${line}`).join('\n')}`;
    return [status, { description: told, content: PROBLEM_CONTENT }];
  });
  return {
    operationId: id,
    tags: ['Method calls'],
    summary,
    parameters: [...parameters, 'IdempotencyKey', 'Prefer', 'Validate'].map((name) =>
      refer('parameters', name),
    ),
    requestBody: {
      required: true,
      content: json(closed({ params }, schedule), example === null ? undefined : { params: example }),
    },
    responses: {
      200: {
        description: 'The result and the transaction number',
        headers: {
          'Call-Id': refer('headers', 'CallId'),
          'Stream-Next-Offset': refer('headers', 'StreamNextOffset'),
        },
        content: json(closed({ result, txid: refer('schemas', 'Txid') })),
      },
      202: refer('responses', 'CallAccepted'),
      ...Object.fromEntries(failed),
    },
  };
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
