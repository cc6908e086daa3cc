import { defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import type { PeerKey } from '../../model/common/keys.ts';
import { listMentioned } from '../../model/peers/mentioned.ts';
import { toTlPeerOfKey } from '../../model/peers/tl-peer.ts';
import { USERNAMES } from '../../model/people/keys.ts';

const USERNAME = /^[A-Za-z][A-Za-z0-9_]{3,31}$/;

/** The user or channel of a username, regardless of case. Errors: `USERNAME_INVALID`, `USERNAME_NOT_OCCUPIED`. */
export const resolveUsername = defineMethod(
  'contacts.resolveUsername',
  async ({ username, referer }, call) => {
    if (!USERNAME.test(username)) throw new MessengerError('USERNAME_INVALID');
    if (referer !== undefined) throw new MessengerError('STARREF_EXPIRED');
    const owner = await call.tx.read.hget(call.tx.key(USERNAMES), username.toLowerCase());
    if (owner === null) throw new MessengerError('USERNAME_NOT_OCCUPIED');
    const peer = toTlPeerOfKey(owner as PeerKey);
    return { _: 'contacts.resolvedPeer', peer, ...(await listMentioned(call, [peer])) };
  },
);

export const example: Example<'contacts.resolveUsername'> = ({ self }) => ({
  username: `${self.username}_contact`,
});

export const difference = 'Every `referer` is `STARREF_EXPIRED`.';
