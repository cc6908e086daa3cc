import type { Forgetting } from '../common/forget.ts';
import { PASSKEY_CHALLENGES, PASSKEY_OWNERS, passkeysKey } from './keys.ts';

export const passkeys: Forgetting = {
  ownKeys: (userId) => [[passkeysKey(userId), 'h']],
  async forget({ tx }, userId) {
    const credentials = await tx.read.hkeys(tx.key(passkeysKey(userId)));
    for (const credential of credentials) tx.hdel(PASSKEY_OWNERS, credential);
    tx.hdel(PASSKEY_CHALLENGES, userId);
    return true;
  },
};
