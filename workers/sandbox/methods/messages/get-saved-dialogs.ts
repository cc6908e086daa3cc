import type { MethodResult } from '../../../../src/tl/tl-json.ts';
import { type CallContext, defineMethod } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { historyKey } from '../../model/boxes/keys.ts';
import { peersOf } from '../../model/boxes/named-peers.ts';
import { readDatedPage } from '../../model/common/dated-page.ts';
import type { PeerKey } from '../../model/common/keys.ts';
import { hashOfIds } from '../../model/common/list-hash.ts';
import { countShown, pageBudget } from '../../model/common/read-budget.ts';
import { findDrafts } from '../../model/conversations/drafts.ts';
import { threadsKey } from '../../model/conversations/keys.ts';
import { requireMonoforumAdmin, resolveParent } from '../../model/conversations/saved-threads.ts';
import { readTopIds } from '../../model/conversations/top-messages.ts';
import { readUnread } from '../../model/conversations/unread-state.ts';
import { toMessageList } from '../../model/messages/message-list.ts';
import { viewMessages } from '../../model/messages/read-messages.ts';
import { readOffsetPeer } from '../../model/peers/offset-peer.ts';
import { boxOf, type Peer } from '../../model/peers/peer.ts';
import { toTlPeerOfKey } from '../../model/peers/tl-peer.ts';

type SavedDialog = Extract<
  MethodResult<'messages.getSavedDialogs'>,
  { _: 'messages.savedDialogs' }
>['dialogs'][number];

/** The peers from which messages were saved, latest first; with `parentPeer`, the threads of a monoforum that the account administers. */
export const getSavedDialogs = defineMethod('messages.getSavedDialogs', async (params, call) => {
  const parent = await resolveParent(call, params.parentPeer);
  if (parent.kind === 'channel') requireMonoforumAdmin(parent);
  const name = threadsKey(boxOf(call, parent), parent.key);
  const after = await readOffsetPeer(call, params.offsetPeer, name);
  const page = await readDatedPage<PeerKey>(call, name, { ...params, after });
  const self = call.account.userId;
  const topIds = await readTopIds(
    call,
    page.members.map((thread) => historyKey(self, parent.key, thread)),
  );
  if (params.hash !== '0' && params.hash === hashOfIds(topIds)) {
    return { _: 'messages.savedDialogsNotModified', count: page.total };
  }
  const budget = pageBudget();
  const found = await viewMessages(call, parent, topIds, budget);
  const shown = countShown(found, budget);
  const tops = found.slice(0, shown).filter((message) => message !== null);
  const dialogs = await toDialogs(call, parent, page.members.slice(0, shown), topIds);
  const { messages, users, chats } = await toMessageList(call, tops, peersOf(dialogs));
  const list = { dialogs, messages, users, chats };
  return page.isWhole && shown === page.members.length
    ? { _: 'messages.savedDialogs', ...list }
    : { _: 'messages.savedDialogsSlice', count: page.total, ...list };
});

async function toDialogs(
  call: CallContext,
  parent: Peer,
  threads: PeerKey[],
  topIds: number[],
): Promise<SavedDialog[]> {
  if (parent.kind === 'user') {
    return threads.map((thread, i) => ({
      _: 'savedDialog',
      peer: toTlPeerOfKey(thread),
      topMessage: topIds[i] as number,
    }));
  }
  const parts = threads.map((thread) => ({ key: parent.key, thread }));
  const [unread, drafts] = await Promise.all([readUnread(call, parts), findDrafts(call, parts)]);
  return threads.map((thread, i) => ({
    _: 'monoForumDialog',
    peer: toTlPeerOfKey(thread),
    topMessage: topIds[i] as number,
    readInboxMaxId: unread[i]?.read ?? 0,
    readOutboxMaxId: unread[i]?.seen ?? 0,
    unreadCount: unread[i]?.count ?? 0,
    unreadReactionsCount: 0,
    ...(drafts[i] ? { draft: drafts[i] } : {}),
  }));
}

export const example: Example<'messages.getSavedDialogs'> = () => ({
  offsetDate: 0,
  offsetId: 0,
  offsetPeer: { _: 'inputPeerEmpty' },
  limit: 20,
  hash: '0',
});

export const difference = 'Unread reactions are not counted.';
