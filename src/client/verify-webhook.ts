import type { StreamGap, StreamUpdate } from './updates/stream-types.ts';

const TOLERANCE_MS = 5 * 60_000;
const SECRET_PREFIX = 'whsec_';

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

/** A request to a webhook. */
export interface WebhookRequest {
  /** The webhook's secret, or several while it is being rotated. */
  secret: string | readonly string[];
  /** `Headers`, or an object as Node's `request.headers`. */
  headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The body as it arrived, before it is parsed. */
  body: string | Uint8Array;
  /** The time in ms; `Date.now()` by default. */
  now?: number;
}

/** A request that does not come from Switchboard, or is too old or too new. */
export class WebhookError extends Error {
  override name = 'WebhookError';
}

/**
 * The event of a request to a webhook, if one of its signatures (Standard Webhooks) is right. Throws a `WebhookError` otherwise, and where
 * the time of the request is more than five minutes off.
 */
export async function verifyWebhook(request: WebhookRequest): Promise<WebhookEvent> {
  const { secret, body, now = Date.now() } = request;
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((part) => headerOf(request, part));
  if (!(Math.abs(now - Number(timestamp) * 1_000) <= TOLERANCE_MS))
    throw new WebhookError('The webhook-timestamp is more than five minutes off.');
  const content = typeof body === 'string' ? new TextEncoder().encode(body) : body;
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
  const value = headers instanceof Headers ? headers.get(name) : [findHeader(headers, name)].flat()[0];
  if (value) return value;
  throw new WebhookError(`The header ${name} is missing.`);
}

function findHeader<Value>(headers: Readonly<Record<string, Value>>, wanted: string): Value | undefined {
  return Object.entries(headers).find(([name]) => name.toLowerCase() === wanted)?.[1];
}

function importKey(secret: string): Promise<Key> {
  const text = secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : secret;
  return crypto.subtle.importKey('raw', fromBase64(text), { name: 'HMAC', hash: 'SHA-256' }, false, [
    'verify',
  ]);
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
