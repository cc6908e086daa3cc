import type { tl } from '@mtcute/core';
import type { TlJson } from '../../../../src/tl/tl-json.ts';
import type { CallContext } from '../../../driver.ts';
import { findCopies, findMessages, replaceMessage, type TlMessage } from '../boxes/messages.ts';
import { type Box, userBox } from '../common/keys.ts';
import { notifyOfEvent } from '../people/account-events.ts';
import { findUsers } from '../people/users.ts';
import { giftTypeOf } from './gift-catalogue.ts';
import { peerOfKey, toTlGift } from './gift-objects.ts';
import type { GiftRecord } from './gifts.ts';

type Action = TlJson<tl.RawMessageActionStarGift> | TlJson<tl.RawMessageActionStarGiftUnique>;
type Update = TlJson<tl.RawUpdateEditMessage>;

/** The action of a gift's message, for the gift as it is now. */
export function giftAction(gift: GiftRecord, issued: number): Action {
  const { collectible, owner, fromId, text } = gift;
  const saved = gift.unsaved ? {} : { saved: true };
  const from = fromId === null ? {} : { fromId: { _: 'peerUser' as const, userId: fromId } };
  const kept = owner.startsWith('c') ? { peer: peerOfKey(owner), savedId: gift.id } : {};
  const tlGift = toTlGift(gift, issued);
  if (collectible) {
    return { _: 'messageActionStarGiftUnique', transferred: true, ...saved, gift: tlGift, ...from, ...kept };
  }
  const { convertStars, upgradeStars } = giftTypeOf(gift);
  return {
    _: 'messageActionStarGift',
    ...saved,
    ...(upgradeStars === null ? {} : { canUpgrade: true }),
    gift: tlGift,
    ...(text === null ? {} : { message: { _: 'textWithEntities', text, entities: [] } }),
    convertStars: `${convertStars}`,
    ...from,
    ...kept,
  };
}

/**
 * Updates every copy of a gift's message to the gift's current state, and notifies the owners of the copies. Returns the update of the
 * calling account, or null if it has no copy.
 */
export async function editGiftMessage(
  call: CallContext,
  gift: GiftRecord,
  issued: number,
): Promise<Update | null> {
  const box = userBox(gift.message.userId);
  const [known] = await findMessages(call, box, [gift.message.id]);
  if (!known) return null;
  const [copies = {}] = await findCopies(call, [known], gift.message.userId);
  const action = giftAction(gift, issued);
  const ids: Record<Box, number> = { ...copies, [box]: gift.message.id };
  const boxes = Object.keys(ids) as Box[];
  const users = await findUsers(
    call,
    boxes.map((one) => Number(one.slice(1))),
  );
  let own: Update | null = null;
  await Promise.all(
    boxes.map(async (one, i) => {
      const [found] = await findMessages(call, one, [ids[one] as number]);
      const user = users[i];
      if (!found || !user || found.message._ !== 'messageService') return;
      const message: TlMessage = { ...found.message, action };
      replaceMessage(call, one, found, message);
      const event = (pts: number): Update => ({ _: 'updateEditMessage', message, pts, ptsCount: 1 });
      const { pts } = notifyOfEvent(call, user, 1, event);
      if (user.id === call.account.userId) own = event(pts);
    }),
  );
  return own;
}
