import { defineMethod } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { listPasskeys } from '../../model/passkeys/passkeys.ts';

/** The passkeys of the account, oldest first. */
export const getPasskeys = defineMethod('account.getPasskeys', async (_params, call) => {
  const found = await listPasskeys(call);
  return { _: 'account.passkeys', passkeys: found.map(({ passkey }) => passkey) };
});

export const example: Example<'account.getPasskeys'> = () => ({});
