import { createPublicKey, type JsonWebKey, type KeyObject, verify } from 'node:crypto';
import type { Cbor } from './cbor.ts';

/** A public key of an authenticator, with its signature algorithm. */
export interface CredentialKey {
  algorithm: number;
  key: KeyObject;
}

// Source: IANA's registry of COSE algorithms.
const EDDSA = -8;
const ES256 = -7;
const RS256 = -257;

/** The algorithms that are offered to authenticators, the preferred one first. */
export const ALGORITHMS: readonly number[] = [EDDSA, ES256, RS256];

// Source: RFC 9053, section 7, and RFC 8230, section 4.
const COMMON = { kty: 1, alg: 3 };
const OKP = { kty: 1, crv: 6, name: 'Ed25519' };
const EC2 = { kty: 2, crv: 1, name: 'P-256' };
const RSA = { kty: 3 };

// Those of RSA with 8,192 bits.
const MEMBER_BYTES_MAX = 1_024;
// To check a signature with an exponent as long as the key takes a hundred times as long. 65537 is usual.
const EXPONENT_BYTES_MAX = 8;

/** The key that a COSE map describes. Throws if it is malformed, or if its algorithm was not offered. */
export function toCredentialKey(cose: Cbor): CredentialKey {
  if (!(cose instanceof Map)) throw new TypeError('a COSE key is a map');
  const algorithm = cose.get(COMMON.alg);
  return {
    algorithm: algorithm as number,
    key: createPublicKey({ key: toJwk(cose, algorithm), format: 'jwk' }),
  };
}

/** Whether a signature over some bytes was made with the key. */
export function isSignedBy({ algorithm, key }: CredentialKey, bytes: Buffer, signature: Buffer): boolean {
  return verify(algorithm === EDDSA ? null : 'sha256', bytes, key, signature);
}

function toJwk(cose: Map<Cbor, Cbor>, algorithm: Cbor | undefined): JsonWebKey {
  const of = (kty: number, crv?: number) =>
    cose.get(COMMON.kty) === kty && (crv === undefined || cose.get(-1) === crv);
  const member = (label: number, bytesMax = MEMBER_BYTES_MAX) => {
    const bytes = cose.get(label);
    if (!Buffer.isBuffer(bytes) || bytes.length > bytesMax)
      throw new TypeError('a COSE key lacks a member, or has too long a one');
    return bytes.toString('base64url');
  };
  if (algorithm === EDDSA && of(OKP.kty, OKP.crv)) return { kty: 'OKP', crv: OKP.name, x: member(-2) };
  if (algorithm === ES256 && of(EC2.kty, EC2.crv))
    return { kty: 'EC', crv: EC2.name, x: member(-2), y: member(-3) };
  if (algorithm === RS256 && of(RSA.kty))
    return { kty: 'RSA', n: member(-1), e: member(-2, EXPONENT_BYTES_MAX) };
  throw new TypeError('a COSE key is of no algorithm that is offered');
}
