import type { CallContext } from '../../../driver.ts';
import type { PeerKey } from '../common/keys.ts';
import type { Look } from './gift-catalogue.ts';
import { GIFTS } from './keys.ts';

/** A star gift somebody owns. */
export interface GiftRecord {
  /** Its id: that by which a channel names it, and of a collectible gift the gift's own. */
  id: string;
  typeId: string;
  owner: PeerKey;
  /** Who gave it, and when. */
  fromId: number | null;
  date: number;
  text: string | null;
  /** The message about it: its owner's, or of the user who gave it to a channel. */
  message: { userId: number; id: number };
  /** Not shown on its owner's profile. */
  unsaved: boolean;
  /** What makes it a collectible gift; null for a plain one. */
  collectible: Collectible | null;
}

export interface Collectible {
  number: number;
  look: Look;
  /** Who first got it of whom. */
  original: { senderId: number | null; recipientId: number; date: number };
  /** Whether it can be the theme of a chat. */
  hasTheme: boolean;
  resale: ResalePrice | null;
}

/** What a collectible gift on resale costs. */
export interface ResalePrice {
  stars: number;
  /** The price in TON, in its smallest unit; where `tonOnly`, the only one it can be bought for. */
  nanoton: string;
  tonOnly: boolean;
}

/** A gift with the text it is stored as: what a commit that changes it has to find unchanged. */
export interface FoundGift {
  gift: GiftRecord;
  raw: string;
}

/** The gifts of these ids, null for those that do not exist, in one read. */
export async function findGifts(call: CallContext, ids: readonly string[]): Promise<(FoundGift | null)[]> {
  if (ids.length === 0) return [];
  const found = await call.tx.read.hmget(call.tx.key(GIFTS), ...ids);
  return found.map((raw) => (raw === null ? null : { gift: JSON.parse(raw) as GiftRecord, raw }));
}
