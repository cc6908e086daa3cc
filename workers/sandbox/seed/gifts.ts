import { SEQ } from '../model/common/keys.ts';
import { unreadKey } from '../model/conversations/keys.ts';
import { type DocumentRecord, randomLong } from '../model/files/documents.ts';
import { DOCUMENTS, fileKey } from '../model/files/keys.ts';
import { CAKE, COMET, pickLook } from '../model/gifts/gift-catalogue.ts';
import { giftAction } from '../model/gifts/gift-messages.ts';
import { listGiftStickers } from '../model/gifts/gift-stickers.ts';
import type { Collectible, GiftRecord } from '../model/gifts/gifts.ts';
import { putGift } from '../model/gifts/put-gift.ts';
import { inStars } from '../model/gifts/resale-price.ts';
import { type Seeding, storePrivate } from './seeding.ts';

/** The message of the first gift; the others follow it. */
const FIRST_MESSAGE = 3;

/** Three gifts of the contact: a plain one, a collectible one, and a collectible one on resale. */
export function seedGifts(seeding: Seeding): void {
  const { call, self, ids } = seeding;
  seedStickers(seeding);
  const issued = call.tx.allocate(SEQ, 'issued', ids.collectibles.length);
  const [kept, offered] = ids.collectibles.map((number) => newCollectible(seeding, number));
  const gifts = [
    newGift(seeding, 0, { typeId: CAKE.id, text: 'Welcome!', collectible: null }),
    newGift(seeding, 1, { typeId: COMET.id, text: null, collectible: kept as Collectible }),
    newGift(seeding, 2, {
      typeId: COMET.id,
      text: null,
      collectible: { ...(offered as Collectible), resale: inStars(500) },
    }),
  ];
  const contact = { _: 'peerUser', userId: ids.contactId } as const;
  for (const gift of gifts) {
    putGift(call, null, gift);
    storePrivate(seeding, `u${ids.contactId}`, {
      _: 'messageService',
      id: gift.message.id,
      fromId: contact,
      peerId: contact,
      date: call.date,
      action: giftAction(gift, issued),
    });
  }
  call.tx.hset(unreadKey(self.id), `read:u${ids.contactId}`, String(FIRST_MESSAGE + gifts.length - 1));
}

function newGift(
  { call, self, ids }: Seeding,
  index: number,
  what: Pick<GiftRecord, 'typeId' | 'text' | 'collectible'>,
): GiftRecord {
  return {
    ...what,
    id: randomLong(),
    owner: `u${self.id}`,
    fromId: ids.contactId,
    date: call.date,
    message: { userId: self.id, id: FIRST_MESSAGE + index },
    unsaved: false,
  };
}

function newCollectible({ call, self, ids }: Seeding, number: number): Collectible {
  const original = { senderId: ids.contactId, recipientId: self.id, date: call.date };
  return { number, look: pickLook(Math.random), original, hasTheme: false, resale: null };
}

// The same in every workspace, so that the second account to be seeded changes nothing.
function seedStickers({ call: { tx } }: Seeding): void {
  for (const { document, bytes, userId, fileId } of listGiftStickers()) {
    const file = fileKey(userId, fileId);
    tx.hset(DOCUMENTS, document.id, { document, file, partSize: document.size } satisfies DocumentRecord);
    tx.hset(file, '0', bytes);
  }
}
