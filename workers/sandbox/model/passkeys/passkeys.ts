import type { tl } from '@mtcute/core';
import type { TlJson } from '../../../../src/tl/tl-json.ts';
import type { CallContext } from '../../../driver.ts';
import { passkeysKey } from './keys.ts';

export type TlPasskey = TlJson<tl.RawPasskey>;

/** A stored passkey; one that was accepted without verification has no public key. */
export interface PasskeyRecord {
  passkey: TlPasskey;
  publicKey?: string;
  counter?: number;
}

/**
 * The challenge that an account has to answer; `value` is null once it is answered. The record stays after an account has asked for a
 * challenge.
 */
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
