import { generateKeyPairSync } from 'node:crypto';
import { expect, it } from 'vitest';
import { toCredentialKey } from '../../../workers/sandbox/model/passkeys/cose-key.ts';

const { n = '', e = '' } = generateKeyPairSync('rsa', { modulusLength: 2_048 }).publicKey.export({
  format: 'jwk',
});
const modulus = Buffer.from(n, 'base64url');

/** A key for RSA as an authenticator describes it. */
function rsaKey(modulus: Buffer, exponent: Buffer) {
  return new Map<number, number | Buffer>([
    [1, 3],
    [3, -257],
    [-1, modulus],
    [-2, exponent],
  ]);
}

it('takes keys for RSA', () => {
  expect(toCredentialKey(rsaKey(modulus, Buffer.from(e, 'base64url'))).key.asymmetricKeyType).toBe('rsa');
});

it('refuses keys for RSA with which a signature would take long to check', () => {
  expect(() => toCredentialKey(rsaKey(modulus, Buffer.alloc(9, 0xff)))).toThrow(/too long/);
  expect(() => toCredentialKey(rsaKey(Buffer.alloc(1_025, 0xff), Buffer.from(e, 'base64url')))).toThrow(
    /too long/,
  );
});
