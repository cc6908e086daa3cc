import { refer } from './schema-parts.ts';

const text = { type: 'string' };
const seconds = { type: 'integer', format: 'int32', minimum: 0, maximum: 2 ** 31 - 1 };

/** The headers of answers, as under `#/components/headers`, by their names. */
const HEADERS = {
  'Call-Id': { schema: text, description: 'The id of the call; every answer to a call has it' },
  ETag: { schema: text, description: 'For `If-None-Match`, and of a record for `If-Match`' },
  'Idempotency-Replayed': {
    schema: { type: 'string', enum: ['true'] },
    description: 'The answer is the one recorded under the `Idempotency-Key`',
  },
  Link: { schema: text, description: 'The pages `first`, `prev` and `next` (RFC 8288)' },
  Location: { schema: { type: 'string', format: 'uri-reference' }, description: 'Where it can be read' },
  'Preference-Applied': { schema: text, description: 'The preferences of `Prefer` that were followed' },
  RateLimit: {
    schema: text,
    description: 'What is left of the rate limit of the API key, if it has one: `"key";r=99;t=1`',
  },
  'RateLimit-Policy': {
    schema: text,
    description: 'The rate limit of the API key, if it has one: `"key";q=100;w=60`',
  },
  'Retry-After': { schema: seconds, description: 'After how many seconds to try again' },
  'Stream-Cursor': {
    schema: text,
    description: 'For `cursor` of the next live read, so that caches tell them apart',
  },
  'Stream-Earliest-Offset': { schema: text, description: 'The earliest offset that can be read from' },
  'Stream-Next-Offset': {
    schema: text,
    description: 'Where to go on from. After a call: the stream up to here holds all updates that it caused',
  },
  'Stream-Up-To-Date': {
    schema: { type: 'string', enum: ['true'] },
    description: 'There are no updates after these yet',
  },
  'WWW-Authenticate': { schema: text, description: 'How to authenticate' },
};

type HeaderName = keyof typeof HEADERS;

/** The headers by their names as components, which have no hyphens. */
export const HEADER_COMPONENTS = Object.fromEntries(
  Object.entries(HEADERS).map(([name, header]) => [componentOf(name), header]),
);

const RATE: HeaderName[] = ['RateLimit', 'RateLimit-Policy'];

const BY_STATUS: Record<string, HeaderName[]> = {
  201: ['Location'],
  401: ['WWW-Authenticate'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

const ACCEPTED = { 202: ['Location'] } satisfies Record<string, HeaderName[]>;

const BY_OPERATION: Record<string, Record<string, HeaderName[]>> = {
  call: ACCEPTED,
  pingWebhook: ACCEPTED,
  replayCall: ACCEPTED,
  resendWebhookDelivery: ACCEPTED,
  createWebhook: { 201: ['Stream-Next-Offset'] },
  readUpdates: {
    200: ['Stream-Next-Offset', 'Stream-Up-To-Date', 'Stream-Cursor'],
    204: ['Stream-Next-Offset', 'Stream-Up-To-Date', 'Stream-Cursor'],
    304: ['Stream-Next-Offset', 'Stream-Up-To-Date'],
    410: ['Stream-Earliest-Offset'],
  },
};

// They have one page only.
const UNPAGED_LISTS = new Set(['listFaults', 'listSponsoredMessages']);

/** References to headers by name. */
export function referHeaders(names: readonly HeaderName[]): Record<string, object> {
  return Object.fromEntries(names.map((name) => [name, refer('headers', componentOf(name))]));
}

/** The headers of an operation's answer with this status. `hasEtag`: the operation supports `If-None-Match` or `If-Match`. */
export function headersOf(operation: string, status: string, hasEtag = false): Record<string, object> {
  const own: HeaderName[] = [...(BY_OPERATION[operation]?.[status] ?? [])];
  if ((status === '200' || status === '304') && hasEtag) own.push('ETag');
  const isPage = operation.startsWith('list') && !UNPAGED_LISTS.has(operation);
  if (status === '200' && isPage) own.push('Link');
  return referHeaders([...(BY_STATUS[status] ?? []), ...own, ...(status === '401' ? [] : RATE)]);
}

function componentOf(name: string): string {
  return name.replaceAll('-', '');
}
