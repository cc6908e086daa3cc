import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { expect, test } from 'vitest';
import { SecretBox } from '../../../src/directory/secret-box.ts';
import {
  newSigningSecret,
  openSigningSecrets,
  rotateSecrets,
} from '../../../src/webhooks/signing-secrets.ts';
import { signatureHeaders } from '../../../workers/delivery/sign.ts';

const HOUR = 3_600_000;
const ID = 'dlv_01h455vb4pex5vsknk084sn02q';
const body = JSON.stringify({ type: 'RawUpdateNewMessage', data: { text: 'Grüße 👋' } });

test.each([
  ['standardwebhooks', StandardWebhook],
  ['svix', SvixWebhook],
])('%s verifies what was signed, and nothing else', (_, Library) => {
  const [secret, other] = [newSigningSecret(), newSigningSecret()];
  const headers = signatureHeaders([secret], ID, body);
  expect(new Library(secret).verify(body, headers)).toEqual(JSON.parse(body));
  expect(() => new Library(other).verify(body, headers)).toThrow();
  expect(() => new Library(secret).verify(`${body} `, headers)).toThrow();
  expect(() => new Library(secret).verify(body, { ...headers, 'webhook-id': 'dlv_other' })).toThrow();
  const old = signatureHeaders([secret], ID, body, Date.now() - HOUR);
  expect(() => new Library(secret).verify(body, old)).toThrow();
});

test('an old secret signs beside the new one for 24 hours, and not longer', () => {
  const box = new SecretBox(Buffer.from('a secret of this test'));
  const id = 'wh_1';
  const [first, second, third] = [newSigningSecret(), newSigningSecret(), newSigningSecret()];
  const start = Date.now();
  let secrets = [{ sealed: box.seal(id, first), until: null as string | null }];
  secrets = rotateSecrets(secrets, box.seal(id, second), start);
  const atOnce = openSigningSecrets(box, { id, secrets }, start + 1);
  expect(atOnce).toEqual([second, first]);
  const headers = signatureHeaders(atOnce, ID, body);
  for (const secret of atOnce) {
    expect(new StandardWebhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
    expect(new SvixWebhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
  }
  secrets = rotateSecrets(secrets, box.seal(id, third), start + 23 * HOUR);
  expect(openSigningSecrets(box, { id, secrets }, start + 23.5 * HOUR)).toEqual([third, second, first]);
  expect(openSigningSecrets(box, { id, secrets }, start + 24 * HOUR)).toEqual([third, second]);
  expect(openSigningSecrets(box, { id, secrets }, start + 47 * HOUR)).toEqual([third]);
});

test('after a change of the key a webhook signs again once its secret is rotated', () => {
  const [before, after] = ['before', 'after'].map((key) => new SecretBox(Buffer.from(key))) as [
    SecretBox,
    SecretBox,
  ];
  const id = 'wh_1';
  const secrets = [{ sealed: before.seal(id, newSigningSecret()), until: null }];
  expect(() => openSigningSecrets(after, { id, secrets })).toThrow();
  const rotated = rotateSecrets(secrets, after.seal(id, 'whsec_new'));
  expect(openSigningSecrets(after, { id, secrets: rotated })).toEqual(['whsec_new']);
});

test('a sealed secret opens for its webhook and under its key alone', () => {
  const box = new SecretBox(Buffer.from('a secret of this test'));
  const sealed = box.seal('wh_1', 'whsec_x');
  expect(box.open('wh_1', sealed)).toBe('whsec_x');
  expect(box.seal('wh_1', 'whsec_x')).not.toBe(sealed);
  expect(() => box.open('wh_2', sealed)).toThrow();
  expect(() => new SecretBox(Buffer.from('another secret')).open('wh_1', sealed)).toThrow();
  const bytes = Buffer.from(sealed, 'base64');
  for (const at of [0, 12, bytes.length - 1]) {
    const altered = Buffer.from(bytes);
    altered[at] = (altered[at] as number) ^ 1;
    expect(() => box.open('wh_1', altered.toString('base64'))).toThrow();
  }
  expect(() => box.open('wh_1', '')).toThrow();
});
