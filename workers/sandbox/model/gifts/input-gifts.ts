import type { tl } from '@mtcute/core';
import type { TlJson } from '../../../../src/tl/tl-json.ts';
import { type CallContext, MessengerError } from '../../../driver.ts';
import { findMessages } from '../boxes/messages.ts';
import { expectOwnMember } from '../chats/channel-members.ts';
import { findMember, type MemberRecord } from '../chats/chats.ts';
import { isAllowed } from '../chats/rights.ts';
import { type PeerKey, userBox } from '../common/keys.ts';
import { resolvePeer } from '../peers/resolve-peer.ts';
import { numberOfSlug } from './gift-objects.ts';
import { type FoundGift, findGifts } from './gifts.ts';
import { COLLECTIBLES, giftMessagesKey } from './keys.ts';

type InputGift = TlJson<tl.TypeInputSavedStarGift>;

/** A method's errors for an unknown gift, and for another owner's gift. */
export interface GiftErrors {
  absent: string;
  foreign: string;
}

/**
 * The gift that an `InputSavedStarGift` names, of a peer that the calling account controls; null if there is none. Errors, beside the one
 * for another owner's gift: `SAVED_ID_EMPTY`, `STARGIFT_PEER_INVALID` for a peer that is not a channel, `STARGIFT_SLUG_INVALID`.
 */
export async function findOwnGift(
  call: CallContext,
  input: InputGift,
  foreign: string,
): Promise<FoundGift | null> {
  const id = await findGiftId(call, input, foreign);
  const [found] = id === null ? [] : await findGifts(call, [id]);
  if (!found) return null;
  if (!(await controls(call, found.gift.owner))) throw new MessengerError(foreign);
  return found;
}

/**
 * The gift an `InputSavedStarGift` names, of a peer the calling account controls; the commit fails if it no longer does by then. With
 * `owned`, the account has to have created the channel that owns the gift: only then may it give or sell the gift away.
 */
export async function getOwnGift(
  call: CallContext,
  input: InputGift,
  { absent, foreign }: GiftErrors,
  { owned = false }: { owned?: boolean } = {},
): Promise<FoundGift> {
  const found = await findOwnGift(call, input, foreign);
  if (!found) throw new MessengerError(absent);
  const { owner } = found.gift;
  if (!owner.startsWith('c')) return found;
  const id = Number(owner.slice(1));
  const member = await findMember(call, id, call.account.userId);
  if (!(owned ? member?.role === 'creator' : manages(member))) throw new MessengerError(foreign);
  expectOwnMember(call, { id, member });
  return found;
}

/** Whether the calling account may use what a peer owns: the peer is itself, or a channel in whose name it may post. */
export async function controls(call: CallContext, owner: PeerKey): Promise<boolean> {
  if (owner === `u${call.account.userId}`) return true;
  if (!owner.startsWith('c')) return false;
  return manages(await findMember(call, Number(owner.slice(1)), call.account.userId));
}

function manages(member: MemberRecord | null): boolean {
  return isAllowed(member, 'postMessages');
}

async function findGiftId(call: CallContext, input: InputGift, foreign: string): Promise<string | null> {
  switch (input._) {
    case 'inputSavedStarGiftUser':
      return findIdByMessage(call, input.msgId, foreign);
    case 'inputSavedStarGiftChat': {
      if (input.savedId === '0') throw new MessengerError('SAVED_ID_EMPTY');
      const peer = await resolvePeer(call, input.peer);
      if (peer.kind !== 'channel') throw new MessengerError('STARGIFT_PEER_INVALID');
      if (!(await controls(call, peer.key))) throw new MessengerError(foreign);
      const [found] = await findGifts(call, [input.savedId]);
      return found?.gift.owner === peer.key ? input.savedId : null;
    }
    case 'inputSavedStarGiftSlug': {
      const number = numberOfSlug(input.slug);
      const id = number && (await call.tx.read.hget(call.tx.key(COLLECTIBLES), number));
      if (!id) throw new MessengerError('STARGIFT_SLUG_INVALID');
      return id;
    }
  }
}

// Finds a gift by the message of a user who does not own it: the giver, or a former owner.
async function findIdByMessage(call: CallContext, msgId: number, foreign: string): Promise<string | null> {
  const { userId } = call.account;
  const id = await call.tx.read.hget(call.tx.key(giftMessagesKey(userId)), String(msgId));
  if (id !== null) return id;
  const [found] = await findMessages(call, userBox(userId), [msgId]);
  const action = found?.message._ === 'messageService' ? found.message.action._ : null;
  if (action === 'messageActionStarGift' || action === 'messageActionStarGiftUnique')
    throw new MessengerError(foreign);
  return null;
}
