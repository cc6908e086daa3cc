import { expect, test } from 'vitest';
import { verifyWebhook, WebhookError } from '../../../src/client/index.ts';
import { newSigningSecret } from '../../../src/webhooks/signing-secrets.ts';
import { signatureHeaders } from '../../../workers/delivery/sign.ts';

const ID = 'dlv_01h455vb4pex5vsknk084sn02q';
const HOUR = 3_600_000;
const [secret, other] = [newSigningSecret(), newSigningSecret()];
const body = JSON.stringify({ type: 'RawUpdateNewMessage', data: { text: 'Grüße 👋' } });
const headers = signatureHeaders([secret], ID, body);

test('gives what was signed, from a text or bytes, with headers of any kind', async () => {
  const event = JSON.parse(body);
  expect(await verifyWebhook({ secret, headers, body })).toEqual(event);
  expect(await verifyWebhook({ secret, headers: new Headers(headers), body })).toEqual(event);
  expect(await verifyWebhook({ secret, headers, body: Buffer.from(body) })).toEqual(event);
  // Those of a library are no instance of the global class.
  const foreign = { get: (name: string) => new Headers(headers).get(name) } as Headers;
  expect(await verifyWebhook({ secret, headers: foreign, body })).toEqual(event);
  const shouted = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]),
  );
  expect(await verifyWebhook({ secret, headers: shouted, body })).toEqual(event);
});

test('takes any of several signatures and secrets, as there are while a secret is rotated', async () => {
  const both = signatureHeaders([other, secret], ID, body);
  await verifyWebhook({ secret, headers: both, body });
  await verifyWebhook({ secret: [newSigningSecret(), secret], headers, body });
});

test.each([
  ['another secret', { secret: other }],
  ['another body', { body: `${body} ` }],
  ['another id', { headers: { ...headers, 'webhook-id': 'dlv_other' } }],
  ['no signature', { headers: { ...headers, 'webhook-signature': undefined } }],
  ['a signature that is none', { headers: { ...headers, 'webhook-signature': 'v1,§ v1 v2,abc' } }],
  ['no timestamp', { headers: { ...headers, 'webhook-timestamp': 'soon' } }],
  ['a time long ago', { headers: signatureHeaders([secret], ID, body, Date.now() - HOUR) }],
  ['a time to come', { headers: signatureHeaders([secret], ID, body, Date.now() + HOUR) }],
])('refuses %s', async (_, wrong) => {
  await expect(verifyWebhook({ secret, headers, body, ...wrong })).rejects.toThrow(WebhookError);
});

test.each([
  ['a body that was parsed', { body: JSON.parse(body) }],
  ['a secret that is missing', { secret: undefined as never }],
  ['an empty secret', { secret: '' }],
  ['a secret with other characters', { secret: 'whsec_…' }],
])('says of %s that the program is wrong, not the request', async (_, wrong) => {
  await expect(verifyWebhook({ secret, headers, body, ...wrong })).rejects.toThrow(
    expect.objectContaining({ name: 'TypeError', message: expect.stringMatching(/^The (body|secret) /) }),
  );
});
