import { MAX_HEADER_BYTES } from '../server/open-server.ts';
import { CALL_VALUES_MAX, VALUES_MAX } from '../server/parse-json.ts';
import { MAX_BODY_BYTES } from '../server/read-body.ts';

const INT32_MAX = 2 ** 31 - 1;

// Keywords whose values are not schemas.
const DATA_KEYWORDS = new Set(['const', 'default', 'enum', 'example', 'examples']);

type Json = Record<string, unknown>;

/** The largest lengths of texts and arrays whose schemas have no bound. */
interface Bounds {
  text: number;
  items: number;
}

/** Adds bounds to the schemas of parameters that have none. */
export function boundParameters<T>(parameters: T): T {
  return withBounds(parameters, { text: MAX_HEADER_BYTES, items: MAX_HEADER_BYTES }) as T;
}

/** Adds bounds to the schemas of the parameters and bodies of paths that have none. */
export function boundRequests<T extends object>(paths: T): T {
  const entries = Object.entries(paths).map(([path, verbs]) => [
    path,
    Object.fromEntries(
      Object.entries(verbs as Record<string, Json>).map(([verb, operation]) => [
        verb,
        boundRequest(path, operation),
      ]),
    ),
  ]);
  return Object.fromEntries(entries);
}

function boundRequest(path: string, operation: Json): Json {
  const { parameters, requestBody } = operation;
  const items = path.startsWith('/workspaces/') ? CALL_VALUES_MAX : VALUES_MAX;
  return {
    ...operation,
    ...(parameters === undefined ? {} : { parameters: boundParameters(parameters) }),
    ...(requestBody === undefined
      ? {}
      : { requestBody: withBounds(requestBody, { text: MAX_BODY_BYTES, items }) }),
  };
}

/** Adds the format `int32` or `int64` to every integer that has no format. */
export function sizeIntegers<T>(value: T): T {
  return mapSchemas(value, (schema) => {
    if (!isOfType(schema, 'integer') || 'format' in schema || 'enum' in schema) return {};
    const { minimum = 0, maximum = Number.POSITIVE_INFINITY } = schema as {
      minimum?: number;
      maximum?: number;
    };
    return { format: minimum >= -INT32_MAX - 1 && maximum <= INT32_MAX ? 'int32' : 'int64' };
  }) as T;
}

function withBounds(value: unknown, { text, items }: Bounds): unknown {
  return mapSchemas(value, (schema) => ({
    ...(isOfType(schema, 'string') && !('maxLength' in schema || 'enum' in schema || 'const' in schema)
      ? { maxLength: text }
      : {}),
    ...(isOfType(schema, 'array') && !('maxItems' in schema) ? { maxItems: items } : {}),
  }));
}

function isOfType({ type }: Json, wanted: string): boolean {
  return type === wanted || (Array.isArray(type) && type.includes(wanted));
}

// Visits objects that are not schemas too: none of them has `integer`, `string` or `array` as its `type`.
function mapSchemas(value: unknown, addedTo: (schema: Json) => Json): unknown {
  if (Array.isArray(value)) return value.map((one) => mapSchemas(one, addedTo));
  if (typeof value !== 'object' || value === null) return value;
  const mapped = Object.entries(value).map(([name, member]) => [
    name,
    DATA_KEYWORDS.has(name) ? member : mapSchemas(member, addedTo),
  ]);
  return { ...Object.fromEntries(mapped), ...addedTo(value as Json) };
}
