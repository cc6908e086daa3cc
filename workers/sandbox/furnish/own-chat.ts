import { toTlPeer } from '../model/peers.ts';
import { type Furnishing, placePrivate } from './furnishing.ts';

/** Message 1 of the account's own chat. */
export function furnishOwnChat(furnishing: Furnishing): void {
  const { call, self } = furnishing;
  const peerId = toTlPeer({ kind: 'user', id: self.id });
  placePrivate(furnishing, `u${self.id}`, {
    _: 'message',
    id: 1,
    out: true,
    peerId,
    savedPeerId: peerId,
    date: call.date,
    message: 'Welcome to Switchboard',
  });
}
