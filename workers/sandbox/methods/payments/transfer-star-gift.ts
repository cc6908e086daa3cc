import type { MethodParams } from '../../../../src/tl/tl-json.ts';
import { type CallContext, defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { peerUser } from '../../examples/input-peers.ts';
import { isCollectible, ofGift } from '../../examples/seeded-things.ts';
import { userBox } from '../../model/common/keys.ts';
import { giftAction } from '../../model/gifts/gift-messages.ts';
import { countIssued, peersOfGifts } from '../../model/gifts/gift-objects.ts';
import type { GiftRecord } from '../../model/gifts/gifts.ts';
import { getOwnGift } from '../../model/gifts/input-gifts.ts';
import { putGift } from '../../model/gifts/put-gift.ts';
import { postMessage } from '../../model/messages/post-message.ts';
import { listMentioned } from '../../model/peers/mentioned.ts';
import type { Peer } from '../../model/peers/peer.ts';
import { resolvePeer } from '../../model/peers/resolve-peer.ts';
import { getSelf } from '../../model/people/users.ts';

type Params = MethodParams<'payments.transferStarGift'>;

/**
 * Gives a collectible gift to a user or a broadcast channel. It is off resale then, is shown on the new owner's
 * profile, and can from then on be the theme of a chat.
 */
export const transferStarGift = defineMethod(
  'payments.transferStarGift',
  async ({ stargift, toId }, call) => {
    const foreign = stargift._ === 'inputSavedStarGiftSlug' ? 'STARGIFT_NOT_OWNER' : 'STARGIFT_OWNER_INVALID';
    const errors = { absent: absentError(stargift), foreign };
    const [found, to, issued] = await Promise.all([
      getOwnGift(call, stargift, errors),
      resolvePeer(call, toId),
      countIssued(call),
    ]);
    const { collectible } = found.gift;
    if (!collectible) throw new MessengerError('STARGIFT_NOT_UNIQUE');
    refuseRecipient(to, found.gift);
    const gift: GiftRecord = {
      ...found.gift,
      owner: to.key,
      fromId: call.account.userId,
      date: call.date,
      text: null,
      unsaved: false,
      collectible: { ...collectible, hasTheme: true, resale: null },
    };
    const { message, pts, known } = await notifyOfTransfer(call, to, gift, issued);
    putGift(call, found, { ...gift, message: known });
    return {
      _: 'updates',
      updates: [{ _: 'updateNewMessage', message, pts, ptsCount: 1 }],
      ...(await listMentioned(call, [...peersOfGifts([gift]), message.peerId])),
      date: call.date,
      seq: 0,
    };
  },
);

function absentError({ _ }: Params['stargift']): string {
  return _ === 'inputSavedStarGiftUser' ? 'MESSAGE_ID_INVALID' : 'STARGIFT_NOT_FOUND';
}

function refuseRecipient(to: Peer, { owner }: GiftRecord): void {
  if (to.kind === 'chat') throw new MessengerError('PEER_ID_INVALID');
  const isClosed = to.kind === 'channel' && to.channel.kind !== 'broadcast';
  if (isClosed || to.key === owner) throw new MessengerError('STARGIFT_PEER_INVALID');
}

// A channel gets no message of its gifts: who brings one notes it in the own chat.
async function notifyOfTransfer(call: CallContext, to: Peer, gift: GiftRecord, issued: number) {
  const user = to.kind === 'user' ? to.user : await getSelf(call);
  const peer = { kind: 'user', id: user.id, key: userBox(user.id), user } as const;
  const posted = await postMessage(call, peer, {
    _: 'messageService',
    action: giftAction(gift, issued),
  });
  const id = posted.twin ?? posted.message.id;
  return { ...posted, known: { userId: user.id, id } };
}

export const example: Example<'payments.transferStarGift'> = async (exemplar) => {
  const toId = await peerUser(exemplar, 'contactId');
  return ofGift(exemplar, isCollectible, (stargift) => ({ stargift, toId }));
};
