import type { tl } from '@mtcute/core';
import type { TlJson } from '../../../../src/tl/tl-json.ts';
import type { CallContext } from '../../../driver.ts';
import { passkeysKey } from './keys.ts';

export type TlPasskey = TlJson<tl.RawPasskey>;

/** A passkey as it is kept; one that was taken without proof has no public key. */
export interface PasskeyRecord {
  passkey: TlPasskey;
  publicKey?: string;
  counter?: number;
}

/** The challenge an account has to answer; `value` is null once it has. It stays once an account has asked for one. */
export interface PasskeyChallenge {
  value: string | null;
  expiresAt: number;
}

/** The passkeys of the calling account, oldest first. */
export async function listPasskeys(call: CallContext): Promise<PasskeyRecord[]> {
  const found = await call.tx.read.hvals(call.tx.key(passkeysKey(call.account.userId)));
  return found
    .map((raw) => JSON.parse(raw) as PasskeyRecord)
    .sort((a, b) => a.passkey.date - b.passkey.date || a.passkey.id.localeCompare(b.passkey.id));
}
