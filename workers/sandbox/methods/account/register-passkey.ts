import { randomBytes } from 'node:crypto';
import type { MethodParams } from '../../../../src/tl/tl-json.ts';
import { type CallContext, defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { parseGivenJson } from '../../model/common/given-json.ts';
import { PASSKEY_CHALLENGES, PASSKEY_OWNERS, passkeysKey } from '../../model/passkeys/keys.ts';
import type { PasskeyChallenge, PasskeyRecord } from '../../model/passkeys/passkeys.ts';
import {
  type RegisterCredential,
  type VerifiedCredential,
  verifyRegistration,
} from '../../model/passkeys/webauthn.ts';

/** The emoji with which clients show the software that keeps a passkey. */
const SOFTWARE_EMOJI_ID = '5330115548900501467';

const PASSKEYS_MAX = 100;
const ID_MAX = 2_048;
const ATTESTATION_MAX = 65_536;
const ID = /^[A-Za-z0-9+/_-]+={0,2}$/;

/**
 * Registers a passkey. Once the account has asked for a challenge, a passkey is accepted only if an authenticator made it for this
 * challenge, and only once. Before that, any well-formed passkey is accepted. Errors: `ACCESS_DENIED` for a bot, `CREDENTIAL_INVALID`.
 */
export const registerPasskey = defineMethod('account.registerPasskey', async ({ credential }, call) => {
  const { tx, account, date } = call;
  if (account.bot) throw new MessengerError('ACCESS_DENIED');
  const given = readCredential(credential);
  const own = passkeysKey(account.userId);
  const [raw, count] = await Promise.all([
    tx.observe(PASSKEY_CHALLENGES, account.userId),
    tx.read.hlen(tx.key(own)),
  ]);
  if (count >= PASSKEYS_MAX) throw new MessengerError('CREDENTIAL_INVALID');
  const verified =
    raw === null ? null : await verifyChallenge(call, given, JSON.parse(raw) as PasskeyChallenge);
  const record: PasskeyRecord = {
    passkey: {
      _: 'passkey',
      id: given.id,
      name: `Passkey ${count + 1}`,
      date,
      softwareEmojiId: SOFTWARE_EMOJI_ID,
      lastUsageDate: date,
    },
    ...(verified ? { publicKey: verified.publicKey, counter: verified.counter } : {}),
  };
  tx.hset(own, given.id, record);
  return record.passkey;
});

function readCredential(
  credential: MethodParams<'account.registerPasskey'>['credential'],
): RegisterCredential {
  if (credential._ !== 'inputPasskeyCredentialPublicKey') throw new MessengerError('CREDENTIAL_INVALID');
  const { id, rawId, response } = credential;
  if (response._ !== 'inputPasskeyResponseRegister') throw new MessengerError('CREDENTIAL_INVALID');
  const bytes = bytesOf(id);
  const isNamed = bytes.length > 0 && id.length <= ID_MAX && ID.test(id) && bytes.equals(bytesOf(rawId));
  if (!isNamed || !isAttestation(response.attestationData) || !isJsonObject(response.clientData.data))
    throw new MessengerError('CREDENTIAL_INVALID');
  return { ...credential, response };
}

async function verifyChallenge(
  call: CallContext,
  given: RegisterCredential,
  { value, expiresAt }: PasskeyChallenge,
): Promise<VerifiedCredential> {
  const { tx, account, date } = call;
  if (value === null || expiresAt < date) throw new MessengerError('CREDENTIAL_INVALID');
  const owner = await tx.observe(PASSKEY_OWNERS, given.id);
  const verified = verifyRegistration(given, value);
  if (!verified || owner !== null) throw new MessengerError('CREDENTIAL_INVALID');
  const answered: PasskeyChallenge = { value: null, expiresAt };
  tx.hset(PASSKEY_CHALLENGES, account.userId, answered);
  tx.hset(PASSKEY_OWNERS, given.id, String(account.userId));
  return verified;
}

function isAttestation({ length }: string): boolean {
  return length > 0 && length <= ATTESTATION_MAX;
}

function bytesOf(base64: string): Buffer {
  return Buffer.from(base64, 'base64url');
}

function isJsonObject(text: string): boolean {
  const value = parseGivenJson(text);
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

// Once the account has a challenge, only its authenticator's answer is accepted, which an example cannot contain.
export const example: Example<'account.registerPasskey'> = async ({ call, self }) => {
  if (self.bot) return null;
  const asked = await call.tx.read.hget(call.tx.key(PASSKEY_CHALLENGES), String(self.id));
  if (asked !== null) return null;
  const id = randomBytes(16).toString('base64url');
  const clientData = { type: 'webauthn.create', challenge: 'AA', origin: 'https://example.com' };
  return {
    credential: {
      _: 'inputPasskeyCredentialPublicKey',
      id,
      rawId: id,
      response: {
        _: 'inputPasskeyResponseRegister',
        clientData: { _: 'dataJSON', data: JSON.stringify(clientData) },
        attestationData: Buffer.alloc(3).toString('base64'),
      },
    },
  };
};

export const difference =
  'Takes any well-formed credential until `account.initPasskeyRegistration` is called; refuses attestation by a certificate.';
