import type { Update } from '../../../../src/tl/tl-json.ts';
import type { CallContext } from '../../../driver.ts';
import { type FoundMessage, findMessages, replaceMessage, type TlMessage } from '../boxes/messages.ts';
import { recordChannelEvent } from '../chats/channel-events.ts';
import { refuseCopies, refuseGrowth } from '../common/commit-size.ts';
import { groupBy } from '../common/group-by.ts';
import { type Box, channelBox, userBox } from '../common/keys.ts';
import { readersOf } from '../conversations/channel-readers.ts';
import { pinnedKey } from '../conversations/keys.ts';
import { findPresentCopies } from '../conversations/message-readers.ts';
import { expectMembers } from '../peers/expect-members.ts';
import type { ChannelPeer, Peer } from '../peers/peer.ts';
import { peerKeyOf } from '../peers/tl-peer.ts';
import { notifyOfEvent } from '../people/account-events.ts';
import { findUsers, targetOf } from '../people/users.ts';

const PINNED_LENGTH = ',"pinned":true'.length;

interface Pinning {
  pinned: boolean;
  /** Whether the other side of a private chat is not affected. */
  oneSide?: boolean;
}

/** An update of the calling account that tells of pins. */
export type PinUpdate = Extract<Update, { _: 'updatePinnedMessages' | 'updatePinnedChannelMessages' }>;

/** Pins messages for everybody in the conversation who has them, or unpins them, and notifies each of them. */
export function setPinned(
  call: CallContext,
  peer: Peer,
  found: readonly FoundMessage[],
  pinning: Pinning,
): Promise<PinUpdate | null> {
  return peer.kind === 'channel'
    ? setInChannel(call, peer, found, pinning)
    : setInBoxes(call, peer, found, pinning);
}

async function setInChannel(
  call: CallContext,
  { id: channelId, key, ...peer }: ChannelPeer,
  found: readonly FoundMessage[],
  { pinned }: Pinning,
): Promise<PinUpdate> {
  const box = channelBox(channelId);
  for (const one of found) replace(call, box, pinnedKey(0, key), one, pinned);
  const ids = found.map(({ message }) => message.id);
  const update: PinUpdate = {
    _: 'updatePinnedChannelMessages',
    ...(pinned ? { pinned } : {}),
    channelId,
    messages: ids,
    pts: recordChannelEvent(call, channelId, ids.length, { ids, pinned }),
    ptsCount: ids.length,
  };
  const readers = await readersOf(call, { id: channelId, key, ...peer }, undefined);
  for (const reader of readers) call.tx.update(targetOf(reader), update);
  return update;
}

async function setInBoxes(
  call: CallContext,
  peer: Peer,
  found: readonly FoundMessage[],
  { pinned, oneSide = false }: Pinning,
): Promise<PinUpdate | null> {
  const own = userBox(call.account.userId);
  expectMembers(call, peer);
  const copies = await findPresentCopies(call, peer, found);
  if (!oneSide) {
    for (const [i, one] of found.entries()) refuseMany(one, Object.keys(copies[i] ?? {}).length, pinned);
  }
  const all = idsByBox(copies);
  const byBox = oneSide ? new Map([[own, all.get(own) ?? []]]) : all;
  const users = await findUsers(
    call,
    [...byBox.keys()].map((box) => Number(box.slice(1))),
  );
  let ownUpdate: PinUpdate | null = null;
  for (const user of users) {
    if (!user || user.deleted) continue;
    const box = userBox(user.id);
    const there = await findMessages(call, box, byBox.get(box) ?? []);
    const changed = there.filter((one): one is FoundMessage => one !== null && isPinned(one) !== pinned);
    const [first] = changed;
    if (!first) continue;
    const { peerId } = first.message;
    for (const one of changed) replace(call, box, pinnedKey(user.id, peerKeyOf(peerId)), one, pinned);
    const toUpdate = (pts: number): PinUpdate => ({
      _: 'updatePinnedMessages',
      ...(pinned ? { pinned } : {}),
      peer: peerId,
      messages: changed.map(({ message }) => message.id),
      pts,
      ptsCount: changed.length,
    });
    const { pts } = notifyOfEvent(call, user, changed.length, toUpdate);
    if (box === own) ownUpdate = toUpdate(pts);
  }
  return ownUpdate;
}

// What is pinned must not be too long to be unpinned.
function refuseMany(one: FoundMessage, copies: number, pinned: boolean): void {
  if (pinned) refuseGrowth(one.raw.length + PINNED_LENGTH, copies);
  else refuseCopies(one, 2 * copies);
}

function idsByBox(copies: readonly Record<Box, number>[]): Map<Box, number[]> {
  const entries = copies.flatMap((ids) => Object.entries(ids) as [Box, number][]);
  const groups = groupBy(entries, ([box]) => box);
  return new Map([...groups].map(([box, group]) => [box, group.map(([, id]) => id)]));
}

/** Whether this copy of a message is pinned. */
export function isPinned({ message }: FoundMessage): boolean {
  return message._ === 'message' && message.pinned === true;
}

function replace(call: CallContext, box: Box, list: string, one: FoundMessage, pinned: boolean): void {
  const { id } = one.message;
  const { pinned: _, ...plain } = one.message as Extract<TlMessage, { _: 'message' }>;
  replaceMessage(call, box, one, pinned ? { ...plain, pinned } : plain);
  if (pinned) call.tx.zadd(list, id, id);
  else call.tx.zrem(list, id);
}
