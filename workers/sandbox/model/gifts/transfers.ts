import type { MethodParams } from '../../../../src/tl/tl-json.ts';
import { type CallContext, MessengerError } from '../../../driver.ts';
import type { Peer } from '../peers/peer.ts';
import { resolvePeer } from '../peers/resolve-peer.ts';
import type { Collectible, FoundGift, GiftRecord } from './gifts.ts';
import { getOwnGift } from './input-gifts.ts';

type Params = MethodParams<'payments.transferStarGift'>;

/** A gift that the calling account may give away, and the recipient. */
interface Transfer {
  found: FoundGift;
  collectible: Collectible;
  to: Peer;
}

/**
 * Finds the gift and the recipient of a transfer. Errors: `MESSAGE_ID_INVALID`, `STARGIFT_NOT_FOUND`, `STARGIFT_NOT_OWNER`,
 * `STARGIFT_OWNER_INVALID`, `STARGIFT_NOT_UNIQUE`, `STARGIFT_PEER_INVALID`, `PEER_ID_INVALID`.
 */
export async function findTransfer(
  call: CallContext,
  stargift: Params['stargift'],
  toId: Params['toId'],
): Promise<Transfer> {
  const foreign = stargift._ === 'inputSavedStarGiftSlug' ? 'STARGIFT_NOT_OWNER' : 'STARGIFT_OWNER_INVALID';
  const errors = { absent: absentError(stargift), foreign };
  const [found, to] = await Promise.all([
    getOwnGift(call, stargift, errors, { owned: true }),
    resolvePeer(call, toId),
  ]);
  const { collectible } = found.gift;
  if (!collectible) throw new MessengerError('STARGIFT_NOT_UNIQUE');
  refuseRecipient(to, found.gift);
  return { found, collectible, to };
}

function absentError({ _ }: Params['stargift']): string {
  return _ === 'inputSavedStarGiftUser' ? 'MESSAGE_ID_INVALID' : 'STARGIFT_NOT_FOUND';
}

function refuseRecipient(to: Peer, { owner }: GiftRecord): void {
  if (to.kind === 'chat') throw new MessengerError('PEER_ID_INVALID');
  const isClosed = to.kind === 'channel' && to.channel.kind !== 'broadcast';
  if (isClosed || to.key === owner) throw new MessengerError('STARGIFT_PEER_INVALID');
}
