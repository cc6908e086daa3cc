import type { Update } from '../../../../src/tl/tl-json.ts';
import type { CallContext } from '../../../driver.ts';
import { findMessages, type TlMessage } from '../boxes/messages.ts';
import { peersOf } from '../boxes/named-peers.ts';
import { channelBox, type Thread } from '../common/keys.ts';
import { pageBudget, type ReadBudget } from '../common/read-budget.ts';
import { ownThread } from '../conversations/topics.ts';
import { readUnread } from '../conversations/unread-state.ts';
import { toMessageList } from '../messages/message-list.ts';
import { viewMessages } from '../messages/read-messages.ts';
import type { ChannelPeer } from '../peers/peer.ts';
import type { ChannelChange } from './channel-changes.ts';

/** A message to show, and the `pts` of its update; `isNew` if it was posted, not edited. */
interface Shown {
  id: number;
  pts: number;
  isNew: boolean;
}

/**
 * Shows a channel's changes to the calling account: messages in their current state, each once, and updates. Of new messages only those
 * that pass are shown. If `readAt`, the channel's `pts`, is given, the updates end with how far the channel is read. Null if the result,
 * with what is read to tell the talks of a monoforum apart, is larger than a page may be.
 */
export async function viewChanges(
  call: CallContext,
  peer: ChannelPeer,
  changes: readonly ChannelChange[],
  { passes, readAt }: { passes: (id: number) => boolean; readAt: number | null },
) {
  const visible = ownThread(call, peer);
  const budget = pageBudget();
  const wanted = await listShown(call, peer, changes, visible, budget);
  if (budget.left < 0) return null;
  const [shown, reads] = await Promise.all([
    viewAll(call, peer, wanted, budget),
    readAt === null ? [] : viewReads(call, peer, readAt),
  ]);
  if (!shown) return null;
  const others = changes.flatMap((change) => toUpdate(peer.id, change, visible));
  const fresh = shown.filter(({ isNew, id }) => isNew && passes(id));
  const edited = shown.filter(({ isNew }) => !isNew);
  const list = await toMessageList(
    call,
    [...fresh, ...edited].map(({ message }) => message),
    peersOf(...others, ...reads),
  );
  const edits = edited.map(
    ({ pts }, i): Update => ({
      _: 'updateEditChannelMessage',
      message: list.messages[fresh.length + i] as TlMessage,
      pts,
      ptsCount: 1,
    }),
  );
  return {
    newMessages: list.messages.slice(0, fresh.length),
    otherUpdates: [...edits, ...others, ...reads],
    users: list.users,
    chats: list.chats,
  };
}

// An edited message is shown in its current state, so only its last edit counts, and no edit of a new message.
async function listShown(
  call: CallContext,
  { id: channelId }: ChannelPeer,
  changes: readonly ChannelChange[],
  visible: Thread | undefined,
  budget: ReadBudget,
): Promise<Shown[]> {
  const wanted = new Map<number, Shown>();
  for (const change of changes) {
    const { pts } = change;
    const newId = 'found' in change ? change.found.message.id : undefined;
    if (newId !== undefined) wanted.set(newId, { id: newId, pts, isNew: true });
    if ('edited' in change && !wanted.get(change.edited)?.isNew)
      wanted.set(change.edited, { id: change.edited, pts, isNew: false });
  }
  const all = [...wanted.values()];
  if (visible === undefined) return all;
  const found = await findMessages(
    call,
    channelBox(channelId),
    all.map(({ id }) => id),
    budget,
  );
  return all.filter((_, i) => found[i]?.thread === visible);
}

async function viewAll(
  call: CallContext,
  peer: ChannelPeer,
  wanted: readonly Shown[],
  budget: ReadBudget,
): Promise<(Shown & { message: TlMessage })[] | null> {
  const found = await viewMessages(
    call,
    peer,
    wanted.map(({ id }) => id),
    budget,
  );
  if (budget.left < 0) return null;
  return wanted.flatMap((one, i) => {
    const message = found[i];
    return message ? [{ ...one, message }] : [];
  });
}

function toUpdate(channelId: number, change: ChannelChange, visible: Thread | undefined): Update[] {
  const { pts, ptsCount } = change;
  if ('deleted' in change) {
    const own = change.deleted.filter(({ thread }) => visible === undefined || thread === visible);
    const messages = own.flatMap(({ ids }) => ids);
    return messages.length === 0
      ? []
      : [{ _: 'updateDeleteChannelMessages', channelId, messages, pts, ptsCount }];
  }
  if (!('pinned' in change) || visible !== undefined) return [];
  const { ids: messages, pinned } = change;
  return [
    { _: 'updatePinnedChannelMessages', ...(pinned ? { pinned } : {}), channelId, messages, pts, ptsCount },
  ];
}

async function viewReads(
  call: CallContext,
  { id: channelId, key }: ChannelPeer,
  pts: number,
): Promise<Update[]> {
  const [state] = await readUnread(call, [{ key }]);
  const { read = 0, seen = 0, count = 0 } = state ?? {};
  const inbox = {
    _: 'updateReadChannelInbox',
    channelId,
    maxId: read,
    stillUnreadCount: count,
    pts,
  } as const;
  return [
    ...(read > 0 ? [inbox] : []),
    ...(seen > 0 ? [{ _: 'updateReadChannelOutbox', channelId, maxId: seen } as const] : []),
  ];
}
