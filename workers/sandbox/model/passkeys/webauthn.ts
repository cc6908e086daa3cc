import { createHash, randomBytes } from 'node:crypto';
import type { tl } from '@mtcute/core';
import { parseUrl } from '../../../../src/parse-url.ts';
import type { TlJson } from '../../../../src/tl/tl-json.ts';
import { parseGivenJson } from '../common/given-json.ts';
import type { UserRecord } from '../people/users.ts';
import { type AuthenticatorData, readAuthenticatorData } from './authenticator-data.ts';
import { type Cbor, decodeFirst } from './cbor.ts';
import { ALGORITHMS, isSignedBy } from './cose-key.ts';

/** A credential that was verified to be made for a challenge. */
export interface VerifiedCredential {
  id: string;
  publicKey: string;
  counter: number;
}

/** What a client sends to register a passkey. */
export type RegisterCredential = TlJson<tl.RawInputPasskeyCredentialPublicKey> & {
  response: TlJson<tl.RawInputPasskeyResponseRegister>;
};

/** How long a challenge is valid. */
export const CHALLENGE_TTL_S = 300;

// A key for RSA with 8,192 bits has half as many.
const KEY_BYTES_MAX = 2_048;
const ORIGIN_MAX = 1_024;

const RP_NAME = 'Switchboard sandbox';

// Browsers treat a host under localhost as secure, so real authenticators work on a page served from it.
const RP_ID = 'switchboard.localhost';

// An app on Android names itself by the hash of its signature.
const APP_ORIGIN = /^android:apk-key-hash:[\w-]{43}$/;

/**
 * A new challenge for an authenticator, and the options a client hands to it; `exclude` are credentials that must not be registered again.
 */
export function challengeFor(
  user: UserRecord,
  exclude: readonly string[],
): { challenge: string; options: string } {
  const challenge = randomBytes(32).toString('base64url');
  const publicKey = {
    challenge,
    rp: { name: RP_NAME, id: RP_ID },
    user: {
      id: Buffer.from(String(user.id)).toString('base64url'),
      name: user.username ?? String(user.id),
      displayName: user.firstName,
    },
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ alg, type: 'public-key' })),
    timeout: CHALLENGE_TTL_S * 1_000,
    attestation: 'none',
    excludeCredentials: exclude.map((id) => ({ id, type: 'public-key' })),
    authenticatorSelection: {
      residentKey: 'required',
      userVerification: 'required',
      requireResidentKey: true,
    },
    extensions: { credProps: true },
    hints: [],
  };
  return { challenge, options: JSON.stringify({ publicKey }) };
}

/**
 * The credential, if an authenticator made it for this challenge and for this messenger; else null. Accepts the attestations that clients
 * send when asked for `none`: none, or a signature of the credential itself. Source: Web Authentication, section 7.1.
 */
export function verifyRegistration(
  { id, rawId, response }: RegisterCredential,
  challenge: string,
): VerifiedCredential | null {
  const clientData = response.clientData.data;
  if (id !== rawId || !isClientDataOf(clientData, challenge)) return null;
  try {
    const [attestation, rest] = decodeFirst(Buffer.from(response.attestationData, 'base64'));
    if (!(attestation instanceof Map) || rest.length > 0) return null;
    const bytes = attestation.get('authData');
    if (!Buffer.isBuffer(bytes)) return null;
    const made = readAuthenticatorData(bytes);
    const isMadeHere = made.rpIdHash.equals(sha256(RP_ID)) && made.userPresent && made.userVerified;
    const signed = Buffer.concat([bytes, sha256(clientData)]);
    if (!isMadeHere || !isAttested(attestation, made, signed)) return null;
    if (made.credentialId.toString('base64url') !== id || made.cose.length > KEY_BYTES_MAX) return null;
    return { id, publicKey: made.cose.toString('base64'), counter: made.counter };
  } catch {
    // Everything that is wrong with the bytes throws.
    return null;
  }
}

function isClientDataOf(text: string, expected: string): boolean {
  const { type, challenge, origin } = (parseGivenJson(text) ?? {}) as Record<string, unknown>;
  return type === 'webauthn.create' && challenge === expected && typeof origin === 'string' && isOwn(origin);
}

function isOwn(origin: string): boolean {
  if (APP_ORIGIN.test(origin)) return true;
  const url = parseUrl(origin, ORIGIN_MAX);
  if (url === null) return false;
  const { protocol, hostname } = url;
  return /^https?:$/.test(protocol) && (hostname === RP_ID || hostname.endsWith(`.${RP_ID}`));
}

function isAttested(attestation: Map<Cbor, Cbor>, { key }: AuthenticatorData, signed: Buffer): boolean {
  const statement = attestation.get('attStmt');
  if (!(statement instanceof Map)) return false;
  if (attestation.get('fmt') === 'none') return statement.size === 0;
  const signature = statement.get('sig');
  if (attestation.get('fmt') !== 'packed' || statement.has('x5c') || !Buffer.isBuffer(signature))
    return false;
  return statement.get('alg') === key.algorithm && isSignedBy(key, signed, signature);
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
