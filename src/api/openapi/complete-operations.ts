import { BODY_EXAMPLES } from './body-examples.ts';
import { headersOf } from './headers.ts';
import { refer } from './schema-parts.ts';

interface Parameter {
  name: string;
  in: string;
  description?: string;
  schema: Record<string, unknown>;
}

interface Answer {
  description: string;
  headers?: object;
  content?: Record<string, unknown>;
}

type Reference = ReturnType<typeof refer>;

interface Operation {
  operationId: string;
  security?: unknown[];
  parameters?: Parameter[];
  requestBody?: { content: Record<string, object> };
  responses: Record<string, Answer | Reference>;
}

/** Paths with their operations by verb. */
export type Paths = Record<string, Record<string, Operation>>;

const PATH_DESCRIPTIONS: Record<string, string> = {
  code: 'The `code` of a problem',
  deliveryId: 'The id of the delivery',
  name: 'The full name of the method, such as `messages.sendMessage`',
  workspaceId: 'The id of the workspace',
};

// The generator's text for an answer without a description.
const NO_DESCRIPTION = 'Default Response';

const ANSWER_DESCRIPTIONS: Record<string, string> = {
  200: 'What was asked for, as it is now',
  201: 'What has been created',
  202: 'What will be done',
};

const STREAM_PARAMETERS: Parameter[] = [
  {
    name: 'Last-Event-ID',
    in: 'header',
    description: 'The last `id` that was read of server-sent events; takes precedence over `offset`',
    schema: { type: 'string' },
  },
];

/** The preconditions of requests, by the status of the answer if they fail. */
const PRECONDITIONS: Record<string, Parameter> = {
  304: {
    name: 'If-None-Match',
    in: 'header',
    description: 'The `ETag` of an answer: 304 if it is still the same',
    schema: { type: 'string' },
  },
  412: {
    name: 'If-Match',
    in: 'header',
    description: 'The `ETag` of the record as it was read: 412 if it has changed since',
    schema: { type: 'string' },
  },
};

/**
 * Adds common parts to the operations of routes: descriptions of path parameters, examples, and the headers of answers. Identical failures
 * are moved to `shared` and referenced.
 */
export function completeOperations(paths: Paths, shared: Record<string, object>): Paths {
  return mapValues(paths, (verbs, path) =>
    mapValues(verbs, (operation) => completeOperation(path, operation, shared)),
  );
}

function completeOperation(path: string, operation: Operation, shared: Record<string, object>): Operation {
  const { operationId, security, parameters = [], requestBody, responses } = operation;
  const needsKey = security === undefined || security.length > 0;
  const preconditions = Object.entries(PRECONDITIONS).filter(([status]) => status in responses);
  const further = operationId === 'readUpdates' ? [...STREAM_PARAMETERS] : [];
  further.push(...preconditions.map(([, parameter]) => parameter));
  const described = [...parameters.map((parameter) => describeParameter(path, parameter)), ...further];
  return {
    ...operation,
    ...(described.length === 0 ? {} : { parameters: described }),
    ...(requestBody === undefined
      ? {}
      : { requestBody: withExample(requestBody, BODY_EXAMPLES[operationId]) }),
    // Operations without a key have no rate limit, and do not share the failures of others.
    responses: needsKey
      ? completeAnswers(operationId, responses, shared)
      : mapValues(responses, describeAnswer),
  };
}

function completeAnswers(
  operationId: string,
  answers: Operation['responses'],
  shared: Record<string, object>,
): Operation['responses'] {
  const hasEtag = Object.keys(PRECONDITIONS).some((status) => status in answers);
  return mapValues(answers, (answer, status) => {
    if ('$ref' in answer) return answer;
    const whole = { ...describeAnswer(answer, status), headers: headersOf(operationId, status, hasEtag) };
    const isFailure = answer.content?.['application/problem+json'] !== undefined;
    return isFailure ? share(whole, operationId, status, shared) : whole;
  });
}

function withExample(
  requestBody: NonNullable<Operation['requestBody']>,
  example: object | undefined,
): NonNullable<Operation['requestBody']> {
  if (example === undefined) return requestBody;
  return { ...requestBody, content: mapValues(requestBody.content, (body) => ({ ...body, example })) };
}

function describeAnswer<T extends Answer | Reference>(answer: T, status: string): T {
  const lacksOne = 'description' in answer && answer.description === NO_DESCRIPTION;
  return lacksOne ? { ...answer, description: ANSWER_DESCRIPTIONS[status] ?? 'It is done' } : answer;
}

function describeParameter(path: string, parameter: Parameter): Parameter {
  if (parameter.in === 'query' && parameter.schema.type === 'array') {
    // A single value counts as an array too.
    const { anyOf: _, ...schema } = parameter.schema;
    return { ...parameter, schema };
  }
  if (parameter.in !== 'path' || parameter.description !== undefined) return parameter;
  const [, collection = ''] = /^\/v1\/([a-z-]+)s\//.exec(path) ?? [];
  const noun = collection.replace('api-', 'API ').replace('-', ' ');
  return { ...parameter, description: PATH_DESCRIPTIONS[parameter.name] ?? `The id of the ${noun}` };
}

// The answers of a status are the same for every operation, except its own headers.
function share(
  answer: Answer,
  operationId: string,
  status: string,
  shared: Record<string, object>,
): Reference {
  const usual = `Failed${status}`;
  const known = shared[usual];
  const name =
    known === undefined || JSON.stringify(known) === JSON.stringify(answer)
      ? usual
      : `${usual}Of_${operationId}`;
  shared[name] = answer;
  return refer('responses', name);
}

function mapValues<From, To>(
  given: Record<string, From>,
  map: (value: From, name: string) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, map(value, name)]));
}
