import { randomBytes } from 'node:crypto';
import { defineMethod } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { PASSKEY_OWNERS, passkeysKey } from '../../model/passkeys/keys.ts';
import type { PasskeyRecord } from '../../model/passkeys/passkeys.ts';

/** Forgets a passkey of the account; false if it has none of this id. */
export const deletePasskey = defineMethod('account.deletePasskey', async ({ id }, call) => {
  const { tx, account } = call;
  const raw = await tx.observe(passkeysKey(account.userId), id);
  if (raw === null) return false;
  tx.hdel(passkeysKey(account.userId), id);
  if ((JSON.parse(raw) as PasskeyRecord).publicKey !== undefined) tx.hdel(PASSKEY_OWNERS, id);
  return true;
});

// Nothing is lost by it: there is no passkey of this id, and the answer says so.
export const example: Example<'account.deletePasskey'> = () => ({
  id: randomBytes(16).toString('base64url'),
});
