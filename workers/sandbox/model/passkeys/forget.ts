import type { Forgetting } from '../common/forget.ts';
import { PASSKEY_CHALLENGES, PASSKEY_OWNERS, passkeysKey } from './keys.ts';
import type { PasskeyRecord } from './passkeys.ts';

export const passkeys: Forgetting = {
  ownKeys: (userId) => [[passkeysKey(userId), 'h']],
  async forget({ tx }, userId) {
    const credentials = await tx.read.hgetall(tx.key(passkeysKey(userId)));
    // One that was never verified may be another user's.
    for (const [credential, raw] of Object.entries(credentials))
      if ((JSON.parse(raw) as PasskeyRecord).publicKey !== undefined) tx.hdel(PASSKEY_OWNERS, credential);
    tx.hdel(PASSKEY_CHALLENGES, userId);
    return true;
  },
};
