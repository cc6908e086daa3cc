import type { CallContext } from '../../../driver.ts';
import { countRead } from '../common/count-read.ts';
import type { PeerKey } from '../common/keys.ts';
import type { Look } from './gift-catalogue.ts';
import { GIFTS } from './keys.ts';

/** A star gift that a peer owns. */
export interface GiftRecord {
  /** Its id, with which a channel names it; for a collectible gift, the gift's own id. */
  id: string;
  typeId: string;
  owner: PeerKey;
  /** Who gave it, and when. */
  fromId: number | null;
  date: number;
  text: string | null;
  /** The message about it: in the owner's box, or in that of the user who gave it to a channel. */
  message: { userId: number; id: number };
  /** Not shown on its owner's profile. */
  unsaved: boolean;
  /** What makes it a collectible gift; null for a plain one. */
  collectible: Collectible | null;
}

export interface Collectible {
  number: number;
  look: Look;
  /** Its first giver and first owner. */
  original: { senderId: number | null; recipientId: number; date: number };
  /** Whether it can be the theme of a chat. */
  hasTheme: boolean;
  resale: ResalePrice | null;
}

/** The resale price of a collectible gift. */
export interface ResalePrice {
  stars: number;
  /** The price in TON, in its smallest unit; with `tonOnly`, the gift can be bought only for TON. */
  nanoton: string;
  tonOnly: boolean;
}

/** A gift with its stored text. A commit that changes the gift checks that this text is unchanged. */
export interface FoundGift {
  gift: GiftRecord;
  raw: string;
}

/** The gifts of these ids, null for those that do not exist, in one read. */
export async function findGifts(call: CallContext, ids: readonly string[]): Promise<(FoundGift | null)[]> {
  if (ids.length === 0) return [];
  const found = await call.tx.read.hmget(call.tx.key(GIFTS), ...ids);
  countRead(call, found);
  return found.map((raw) => (raw === null ? null : { gift: JSON.parse(raw) as GiftRecord, raw }));
}
