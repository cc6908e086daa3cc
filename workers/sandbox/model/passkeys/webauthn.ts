import { randomBytes } from 'node:crypto';
import type { tl } from '@mtcute/core';
import type { TlJson } from '../../../../src/tl/tl-json.ts';
import { parseGivenJson } from '../common/given-json.ts';
import type { UserRecord } from '../people/users.ts';

/** A credential that was proven to have been made for a challenge. */
export interface VerifiedCredential {
  id: string;
  publicKey: string;
  counter: number;
}

/** What a client sends to register a passkey. */
export type RegisterCredential = TlJson<tl.RawInputPasskeyCredentialPublicKey> & {
  response: TlJson<tl.RawInputPasskeyResponseRegister>;
};

/** How long a challenge may be answered. */
export const CHALLENGE_TTL_S = 300;

const RP_NAME = 'Switchboard sandbox';

// Browsers take a host under localhost for secure, so that real authenticators work with a page served from it.
const RP_ID = 'switchboard.localhost';

// An app on Android names itself by the hash of its signature.
const APP_ORIGIN = /^android:apk-key-hash:[\w-]{43}$/;

/** A new challenge for an authenticator, and the options a client hands to it; `exclude` are credentials it must not be. */
export async function challengeFor(
  user: UserRecord,
  exclude: readonly string[],
): Promise<{ challenge: string; options: string }> {
  const { generateRegistrationOptions } = await load();
  const publicKey = await generateRegistrationOptions({
    rpName: RP_NAME,
    rpID: RP_ID,
    userName: user.username ?? String(user.id),
    userDisplayName: user.firstName,
    userID: new TextEncoder().encode(String(user.id)),
    challenge: new Uint8Array(randomBytes(32)),
    timeout: CHALLENGE_TTL_S * 1_000,
    attestationType: 'none',
    excludeCredentials: exclude.map((id) => ({ id })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  return { challenge: publicKey.challenge, options: JSON.stringify({ publicKey }) };
}

/** The credential, if an authenticator made it for this challenge and for this messenger; else null. */
export async function verifyRegistration(
  { id, rawId, response }: RegisterCredential,
  challenge: string,
): Promise<VerifiedCredential | null> {
  const origin = originOf(response.clientData.data);
  if (origin === null) return null;
  const { verifyRegistrationResponse } = await load();
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: {
        id,
        rawId,
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: Buffer.from(response.clientData.data).toString('base64url'),
          attestationObject: Buffer.from(response.attestationData, 'base64').toString('base64url'),
        },
      },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: RP_ID,
      requireUserVerification: true,
    });
    if (!verified) return null;
    const { credential } = registrationInfo;
    // The library does not hold the id a client states against the one the authenticator signed.
    if (credential.id !== id) return null;
    return {
      id: credential.id,
      publicKey: Buffer.from(credential.publicKey).toString('base64'),
      counter: credential.counter,
    };
  } catch {
    // The library throws for everything that is wrong with what it was given.
    return null;
  }
}

// Few workers ever register a passkey, and the library takes a fifth of a second to load.
function load() {
  return import('@simplewebauthn/server');
}

// The origin a client claims, if it may use credentials of this messenger.
function originOf(clientData: string): string | null {
  try {
    const { origin } = parseGivenJson(clientData) as { origin?: unknown };
    if (typeof origin !== 'string') return null;
    if (APP_ORIGIN.test(origin)) return origin;
    const { protocol, hostname } = new URL(origin);
    const isOwn = hostname === RP_ID || hostname.endsWith(`.${RP_ID}`);
    return isOwn && (protocol === 'https:' || protocol === 'http:') ? origin : null;
  } catch {
    return null;
  }
}
