import { randomBytes } from 'node:crypto';
import { defineMethod } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { PASSKEY_OWNERS, passkeysKey } from '../../model/passkeys/keys.ts';
import type { PasskeyRecord } from '../../model/passkeys/passkeys.ts';

/** Deletes a passkey of the account; false if it has none with this id. */
export const deletePasskey = defineMethod('account.deletePasskey', async ({ id }, call) => {
  const { tx, account } = call;
  const raw = await tx.observe(passkeysKey(account.userId), id);
  if (raw === null) return false;
  tx.hdel(passkeysKey(account.userId), id);
  if ((JSON.parse(raw) as PasskeyRecord).publicKey !== undefined) tx.hdel(PASSKEY_OWNERS, id);
  return true;
});

// Deletes nothing: there is no passkey with this id, so the answer is false.
export const example: Example<'account.deletePasskey'> = () => ({
  id: randomBytes(16).toString('base64url'),
});
