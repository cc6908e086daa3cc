import { decodeFirst } from './cbor.ts';
import { type CredentialKey, toCredentialKey } from './cose-key.ts';

/** An authenticator's data about a credential that it made. */
export interface AuthenticatorData {
  rpIdHash: Buffer;
  /** Whether a user was present, and whether the authenticator has verified the user. */
  userPresent: boolean;
  userVerified: boolean;
  counter: number;
  credentialId: Buffer;
  /** The public key, as COSE and as it is used. */
  cose: Buffer;
  key: CredentialKey;
}

const FLAGS = {
  present: 0x01,
  verified: 0x04,
  mayBeBackedUp: 0x08,
  isBackedUp: 0x10,
  credential: 0x40,
  extensions: 0x80,
};
const AAGUID_BYTES = 16;

/**
 * Reads authenticator data with a credential in it. Throws if it is malformed, cut short, or has bytes left over. Source: Web
 * Authentication, section 6.1.
 */
export function readAuthenticatorData(bytes: Buffer): AuthenticatorData {
  const flags = bytes.readUInt8(32);
  const has = (flag: number) => (flags & flag) !== 0;
  if (!has(FLAGS.credential)) throw new RangeError('the authenticator gave no credential');
  if (has(FLAGS.isBackedUp) && !has(FLAGS.mayBeBackedUp))
    throw new RangeError('the flags of backups contradict each other');
  const idAt = 37 + AAGUID_BYTES + 2;
  const idEnd = idAt + bytes.readUInt16BE(37 + AAGUID_BYTES);
  const credentialId = bytes.subarray(idAt, idEnd);
  const [cose, behindKey] = decodeFirst(bytes.subarray(idEnd));
  const [, rest] = has(FLAGS.extensions) ? decodeFirst(behindKey) : [null, behindKey];
  if (credentialId.length === 0 || rest.length > 0)
    throw new RangeError('authenticator data is longer or shorter than it says');
  return {
    rpIdHash: bytes.subarray(0, 32),
    userPresent: has(FLAGS.present),
    userVerified: has(FLAGS.verified),
    counter: bytes.readUInt32BE(33),
    credentialId,
    cose: bytes.subarray(idEnd, bytes.length - behindKey.length),
    key: toCredentialKey(cose),
  };
}
