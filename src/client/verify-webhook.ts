import type { StreamGap, StreamUpdate } from './updates/stream-types.ts';

// What Standard Webhooks recommends: a request that someone has recorded cannot be sent again later.
const TOLERANCE_MS = 5 * 60_000;

type Key = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

/** The event in a request to a webhook. */
export type WebhookEvent =
  | {
      [Kind in StreamUpdate['kind']]: Message<Kind, Extract<StreamUpdate, { kind: Kind }>>;
    }[StreamUpdate['kind']]
  | Message<'webhook.gap', Pick<StreamGap, 'from' | 'to'>>
  | Message<'webhook.ping', Record<string, unknown>>;

interface Message<Type extends string, Data> {
  type: Type;
  timestamp: string;
  data: Data;
}

/** A request that a webhook received, with what is needed to verify it. */
export interface WebhookRequest {
  /** The webhook's secret, or several while it is being rotated. */
  secret: string | readonly string[];
  /** `Headers`, or an object as Node's `request.headers`. */
  headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The body as it arrived, before it is parsed. */
  body: string | Uint8Array;
  /** The current time in ms since the epoch; `Date.now()` by default. */
  now?: number;
}

/** A request that does not come from Switchboard, or is too old or too new. */
export class WebhookError extends Error {
  override name = 'WebhookError';
}

/**
 * The event of a request to a webhook, if one of its signatures (Standard Webhooks) is right. Rejects with a `WebhookError` if none is, if
 * a header is missing, or if the time of the request is more than five minutes off; with a `TypeError` if a secret is not that of a
 * webhook, or if the body was parsed already.
 */
export async function verifyWebhook(request: WebhookRequest): Promise<WebhookEvent> {
  const { secret, body, now = Date.now() } = request;
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((part) => headerOf(request, part));
  if (!(Math.abs(now - Number(timestamp) * 1_000) <= TOLERANCE_MS))
    throw new WebhookError('The webhook-timestamp is more than five minutes off.');
  const content = bytesOf(body);
  const signed = concat(new TextEncoder().encode(`${id}.${timestamp}.`), content);
  for (const key of await Promise.all([secret].flat().map(importKey))) {
    for (const signature of (signatures ?? '').split(' ')) {
      if (await isValid(key, signature, signed)) return JSON.parse(new TextDecoder().decode(content));
    }
  }
  throw new WebhookError('No webhook-signature is right.');
}

function headerOf({ headers }: WebhookRequest, part: string): string {
  const name = `webhook-${part}`;
  const value = isHeaders(headers) ? headers.get(name) : [findHeader(headers, name)].flat()[0];
  if (value) return value;
  throw new WebhookError(`The header ${name} is missing.`);
}

/** Also for `Headers` of a library or of another realm, which are not instances of the global ones. */
function isHeaders(headers: WebhookRequest['headers']): headers is Headers {
  return typeof headers.get === 'function';
}

function findHeader<Value>(headers: Readonly<Record<string, Value>>, wanted: string): Value | undefined {
  return Object.entries(headers).find(([name]) => name.toLowerCase() === wanted)?.[1];
}

function bytesOf(body: unknown): Uint8Array {
  if (typeof body === 'string') return new TextEncoder().encode(body);
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
  throw new TypeError(
    'The body has to be the text or the bytes that arrived, not what a parser has made of them.',
  );
}

async function importKey(secret: unknown): Promise<Key> {
  const text = typeof secret === 'string' ? secret.replace(/^whsec_/, '') : '';
  try {
    return await crypto.subtle.importKey('raw', fromBase64(text), { name: 'HMAC', hash: 'SHA-256' }, false, [
      'verify',
    ]);
  } catch (cause) {
    throw new TypeError('The secret is not that of a webhook, which is whsec_ and base64.', { cause });
  }
}

async function isValid(key: Key, signature: string, signed: Uint8Array<ArrayBuffer>): Promise<boolean> {
  const [version, text = ''] = signature.split(',');
  if (version !== 'v1') return false;
  try {
    return await crypto.subtle.verify('HMAC', key, fromBase64(text), signed);
  } catch {
    return false;
  }
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

function concat(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}
