import { type CallContext, defineMethod } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { afterOpening, isUnconsumed, isVoiceOrVideo, showsUnread } from '../../model/boxes/media.ts';
import {
  type FoundMessage,
  findCopies,
  findMessages,
  replaceMessage,
  type TlMessage,
} from '../../model/boxes/messages.ts';
import type { ChatRecord } from '../../model/chats/chats.ts';
import { CHATS } from '../../model/chats/keys.ts';
import { firstDistinct } from '../../model/common/first-distinct.ts';
import { type Box, userBox } from '../../model/common/keys.ts';
import { readPts } from '../../model/common/pts.ts';
import { pageBudget, refuseOverBudget } from '../../model/common/read-budget.ts';
import { mentionsKey } from '../../model/conversations/keys.ts';
import { notifyOfContentsRead, toContentsRead } from '../../model/messages/contents-read.ts';
import { isMemberOf } from '../../model/peers/resolve-peer.ts';
import { peerKeyOf } from '../../model/peers/tl-peer.ts';
import { notifyOfEvent } from '../../model/people/account-events.ts';
import { findUser } from '../../model/people/users.ts';
import { SEEDED_VOICE } from '../../seed/voice.ts';

// Each message takes up to three writes.
const IDS_MAX = 100;
// The commit has each message before and after the change.
const CHARACTERS_MAX = 900_000;
// Ids of private chats and basic groups are those of the account's box.
const IN_BOX = { kind: 'user', id: 0 } as const;

/**
 * Marks voice messages, videos and mentions as consumed, and notifies the senders of voice messages and videos. Messages that are consumed
 * already, are the account's own or do not exist are ignored. Of very long messages among the first 100 it reads as many as fit one commit;
 * a second call reads the rest of them. Error: `RESULTS_TOO_MUCH` if there is nothing to mark in the first 4 MiB, but there are more.
 */
export const readMessageContents = defineMethod(
  'messages.readMessageContents',
  async ({ id: asked }, call) => {
    const { tx, account } = call;
    const box = userBox(account.userId);
    const budget = pageBudget();
    const [found, pts] = await Promise.all([
      findMessages(call, box, firstDistinct(asked, IDS_MAX), budget),
      readPts(call, box),
    ]);
    const unread = takeFitting(
      found.filter(
        (one): one is FoundMessage =>
          one !== null && isUnconsumed(one) && senderOf(one.message) !== account.userId,
      ),
    );
    // Asked again, it would end at the same message.
    if (unread.length === 0) refuseOverBudget(budget);
    if (unread.length === 0) return { _: 'messages.affectedMessages', pts, ptsCount: 0 };

    await notifySenders(
      call,
      unread.filter(({ message }) => isVoiceOrVideo(message)),
    );
    for (const one of unread) {
      consume(call, box, one);
      if (one.message.mentioned)
        tx.zrem(mentionsKey(account.userId, peerKeyOf(one.message.peerId)), one.message.id);
    }
    const ids = unread.map(({ message }) => message.id);
    return {
      _: 'messages.affectedMessages',
      ...(await notifyOfContentsRead(call, IN_BOX, ids)),
    };
  },
);

function takeFitting(unread: readonly FoundMessage[]): FoundMessage[] {
  let characters = CHARACTERS_MAX;
  return unread.filter(({ raw, message }, i) => {
    // The sender's copy of a voice message or video changes too.
    characters -= 2 * raw.length * (isVoiceOrVideo(message) ? 2 : 1);
    return i === 0 || characters >= 0;
  });
}

async function notifySenders(call: CallContext, consumed: FoundMessage[]): Promise<void> {
  const [copies, groups] = await Promise.all([findCopies(call, consumed), findGroups(call, consumed)]);
  const bySender = new Map<number, number[]>();
  for (const [index, { message }] of consumed.entries()) {
    const sender = senderOf(message);
    const ownId = sender === null ? undefined : copies[index]?.[userBox(sender)];
    if (sender === null || ownId === undefined) continue;
    if (!mayNotify(message, [sender, call.account.userId], groups)) continue;
    bySender.set(sender, [...(bySender.get(sender) ?? []), ownId]);
  }
  await Promise.all([...bySender].map(([sender, ownIds]) => notifySender(call, sender, ownIds)));
}

// In a basic group, only while all these users are members: those who have left are told nothing, and nothing is told of them.
function mayNotify(
  { peerId }: TlMessage,
  userIds: readonly number[],
  groups: ReadonlyMap<number, ChatRecord>,
): boolean {
  if (peerId._ !== 'peerChat') return true;
  const group = groups.get(peerId.chatId);
  return group !== undefined && userIds.every((id) => isMemberOf(group, id));
}

// Observed: a member that leaves before the commit must not be told.
async function findGroups(
  call: CallContext,
  messages: readonly FoundMessage[],
): Promise<Map<number, ChatRecord>> {
  const ids = messages.flatMap(({ message: { peerId } }) => (peerId._ === 'peerChat' ? [peerId.chatId] : []));
  const found = await Promise.all([...new Set(ids)].map((id) => call.tx.observe(CHATS, id)));
  const groups = found.flatMap((raw) => (raw === null ? [] : [JSON.parse(raw) as ChatRecord]));
  return new Map(groups.map((group) => [group.id, group]));
}

async function notifySender(call: CallContext, senderId: number, ids: number[]): Promise<void> {
  const box = userBox(senderId);
  const [found, user] = await Promise.all([findMessages(call, box, ids), findUser(call, senderId)]);
  const unread = found.filter((one): one is FoundMessage => one !== null && isUnconsumed(one));
  if (unread.length === 0 || !user) return;
  for (const one of unread) consume(call, box, one);
  const messages = unread.map(({ message }) => message.id);
  notifyOfEvent(call, user, messages.length, (pts) => toContentsRead(call, messages, pts));
}

function senderOf(message: TlMessage): number | null {
  const peer = message.fromId ?? message.peerId;
  return peer._ === 'peerUser' ? peer.userId : null;
}

function consume(call: CallContext, box: Box, one: FoundMessage): void {
  const { mediaUnread: _, ...consumed } = one.message;
  const watched = isVoiceOrVideo(one.message) && !showsUnread(one.message);
  const changed = watched ? { ...one, watched } : one;
  replaceMessage(call, box, changed, afterOpening(consumed as TlMessage));
}

export const example: Example<'messages.readMessageContents'> = async ({ call, self }) => {
  const [found] = await findMessages(call, userBox(self.id), [SEEDED_VOICE]);
  return found && isUnconsumed(found) ? { id: [SEEDED_VOICE] } : null;
};

export const difference =
  'Only the first 100 count; name others in another call. What destroys itself (`ttlSeconds`) is gone as soon as it is opened. Of very long messages it reads those that fit one commit; call it again.';
