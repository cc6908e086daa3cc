import { type CallContext, defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { SELF } from '../../examples/input-peers.ts';
import { countWanted, isWanted, toKind } from '../../model/gifts/gift-kinds.ts';
import { toSavedGifts } from '../../model/gifts/gift-lists.ts';
import { listGifts } from '../../model/gifts/gift-pages.ts';
import { controls } from '../../model/gifts/input-gifts.ts';
import { giftKindsKey, ownedGiftsKey } from '../../model/gifts/keys.ts';
import type { Peer } from '../../model/peers/peer.ts';
import { resolvePeer } from '../../model/peers/resolve-peer.ts';

/**
 * The gifts that a peer owns, newest or most valuable first. Gifts that are not on its profile are shown only to accounts that control the
 * peer.
 */
export const getSavedStarGifts = defineMethod('payments.getSavedStarGifts', async (params, call) => {
  const peer = await resolvePeer(call, params.peer);
  if (peer.kind === 'chat') throw new MessengerError('PEER_ID_INVALID');
  // There are no collections of gifts.
  if (params.collectionId !== undefined) throw new MessengerError('COLLECTION_ID_INVALID');
  const controlled = await controls(call, peer.key);
  const wanted = (kind: string) =>
    isWanted(kind, { ...params, excludeUnsaved: params.excludeUnsaved || !controlled }) &&
    !params.peerColorAvailable;
  const [{ gifts, nextOffset }, counts] = await Promise.all([
    listGifts(call, {
      name: ownedGiftsKey(peer.key, params.sortByValue ? 'value' : 'came'),
      descending: true,
      offset: params.offset,
      limit: params.limit,
      wanted: (gift) => wanted(toKind(gift)),
    }),
    readCounts(call, peer),
  ]);
  return {
    ...(await toSavedGifts(call, gifts, controlled)),
    count: countWanted(counts, wanted),
    ...(peer.kind === 'channel' && controlled ? { chatNotificationsEnabled: false } : {}),
    ...(nextOffset === undefined ? {} : { nextOffset }),
  };
});

function readCounts({ tx }: CallContext, { key }: Peer): Promise<Record<string, string>> {
  return tx.read.hgetall(tx.key(giftKindsKey(key)));
}

export const example: Example<'payments.getSavedStarGifts'> = () => ({ peer: SELF, offset: '', limit: 20 });

export const difference = 'There are no collections: `COLLECTION_ID_INVALID`.';
