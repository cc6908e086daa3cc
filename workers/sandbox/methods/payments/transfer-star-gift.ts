import { type CallContext, defineMethod } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { peerUser } from '../../examples/input-peers.ts';
import { giftParams, isCollectible } from '../../examples/seeded-things.ts';
import { CHANNELS } from '../../model/chats/keys.ts';
import { userBox } from '../../model/common/keys.ts';
import { giftAction } from '../../model/gifts/gift-messages.ts';
import { countIssued, peersOfGifts } from '../../model/gifts/gift-objects.ts';
import type { GiftRecord } from '../../model/gifts/gifts.ts';
import { putGift } from '../../model/gifts/put-gift.ts';
import { findTransfer } from '../../model/gifts/transfers.ts';
import { postMessage } from '../../model/messages/post-message.ts';
import { listMentioned } from '../../model/peers/mentioned.ts';
import type { Peer } from '../../model/peers/peer.ts';
import { getSelf } from '../../model/people/users.ts';

/**
 * Gives a collectible gift to a user or a broadcast channel. The gift is no longer on resale, is shown on the new owner's profile, and can
 * from then on be the theme of a chat.
 */
export const transferStarGift = defineMethod(
  'payments.transferStarGift',
  async ({ stargift, toId }, call) => {
    const [{ found, collectible, to }, issued] = await Promise.all([
      findTransfer(call, stargift, toId),
      countIssued(call),
    ]);
    const gift: GiftRecord = {
      ...found.gift,
      owner: to.key,
      fromId: call.account.userId,
      date: call.date,
      text: null,
      unsaved: false,
      collectible: { ...collectible, hasTheme: true, resale: null },
    };
    // A channel that is deleted meanwhile gets nothing.
    if (to.kind === 'channel') call.tx.expectField(CHANNELS, to.id, JSON.stringify(to.channel));
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

// A channel gets no message about gifts: the giver gets one in its own chat.
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

export const example: Example<'payments.transferStarGift'> = async (context) => {
  const toId = await peerUser(context, 'contactId');
  return giftParams(context, isCollectible, (stargift) => ({ stargift, toId }));
};
