/**
 * The keys of passkeys. The letters are those of `common/keys.ts`.
 *
 *   passkeys:U          hash: credential id -> PasskeyRecord
 *   passkey-owners      hash: credential id -> U
 *   passkey-challenges  hash: U -> PasskeyChallenge, of who ever asked for one
 */
export const PASSKEY_OWNERS = 'passkey-owners';
export const PASSKEY_CHALLENGES = 'passkey-challenges';

export function passkeysKey(userId: number): string {
  return `passkeys:${userId}`;
}
