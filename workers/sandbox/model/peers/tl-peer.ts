import type { tl } from '@mtcute/core';
import type { TlJson } from '../../../../src/tl/tl-json.ts';
import type { PeerKey } from '../common/keys.ts';
import type { Peer } from './peer.ts';

/** The peer as a TL object. */
export function toTlPeer(peer: { kind: Peer['kind']; id: number }): TlJson<tl.TypePeer> {
  if (peer.kind === 'user') return { _: 'peerUser', userId: peer.id };
  if (peer.kind === 'chat') return { _: 'peerChat', chatId: peer.id };
  return { _: 'peerChannel', channelId: peer.id };
}

/** The peer of a key as a TL object. */
export function toTlPeerOfKey(key: PeerKey): TlJson<tl.TypePeer> {
  const id = Number(key.slice(1));
  if (key.startsWith('u')) return { _: 'peerUser', userId: id };
  return key.startsWith('g') ? { _: 'peerChat', chatId: id } : { _: 'peerChannel', channelId: id };
}

/** The key of a peer that is given as a TL object. */
export function peerKeyOf(peer: TlJson<tl.TypePeer>): PeerKey {
  if (peer._ === 'peerUser') return `u${peer.userId}`;
  return peer._ === 'peerChat' ? `g${peer.chatId}` : `c${peer.channelId}`;
}

export type TlPeer = TlJson<tl.TypePeer>;

/** The key of the peer that an `InputPeer` names by its id, even if it does not exist; null if it has no id. */
export function keyOfInput(input: TlJson<tl.TypeInputPeer>): PeerKey | null {
  if ('channelId' in input) return `c${input.channelId}`;
  if ('chatId' in input) return `g${input.chatId}`;
  return 'userId' in input ? `u${input.userId}` : null;
}
