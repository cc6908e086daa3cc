import { toTlPeer } from '../model/peers.ts';
import { userBox } from '../model/state-keys.ts';
import { type Furnishing, placePrivate } from './furnishing.ts';

/** Message 1 of the account's own chat. */
export function furnishOwnChat(furnishing: Furnishing): void {
  const { call, self } = furnishing;
  const peerId = toTlPeer({ kind: 'user', id: self.id });
  const key = userBox(self.id);
  const message = {
    _: 'message',
    id: 1,
    out: true,
    fromId: peerId,
    peerId,
    savedPeerId: peerId,
    date: call.date,
    message: 'Welcome to Switchboard',
  } as const;
  placePrivate(furnishing, key, message, key);
}
