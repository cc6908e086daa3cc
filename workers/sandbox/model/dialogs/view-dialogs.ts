import type { MethodResult } from '../../../../src/tl/tl-json.ts';
import type { CallContext } from '../../../driver.ts';
import { historyKey } from '../boxes/keys.ts';
import type { TlMessage } from '../boxes/messages.ts';
import { peersOf } from '../boxes/named-peers.ts';
import { findChannels, findMember } from '../chats/chats.ts';
import { channelBox, type PeerKey, type Thread } from '../common/keys.ts';
import { readPts } from '../common/pts.ts';
import { countShown, pageBudget, type ReadBudget } from '../common/read-budget.ts';
import { ARCHIVE, areArchived } from '../conversations/archive.ts';
import { findDrafts } from '../conversations/drafts.ts';
import { mentionsKey, pollVotesKey } from '../conversations/keys.ts';
import { NOTIFY_SETTINGS } from '../conversations/notify-settings.ts';
import { readTopIds } from '../conversations/top-messages.ts';
import { ownThread } from '../conversations/topics.ts';
import { readUnread, type UnreadState } from '../conversations/unread-state.ts';
import { toMessageList } from '../messages/message-list.ts';
import { viewMessages } from '../messages/read-messages.ts';
import type { Mentioned } from '../peers/mentioned.ts';
import { toTlPeerOfKey } from '../peers/tl-peer.ts';

type Dialog = Extract<MethodResult<'messages.getDialogs'>, { _: 'messages.dialogs' }>['dialogs'][number];

/** Dialogs with their newest messages, and the users and chats that these mention. */
interface DialogList extends Mentioned {
  dialogs: Dialog[];
  messages: Awaited<ReturnType<typeof toMessageList>>['messages'];
}

/** The newest message id that the calling account sees in each of these conversations; 0 for none. */
export async function readNewestIds(call: CallContext, keys: readonly PeerKey[]): Promise<number[]> {
  return readTopIds(call, await listHistories(call, keys));
}

/** Conversations as the calling account has them, given their newest message ids; only the first ones if the page would be too large. */
export async function viewDialogs(
  call: CallContext,
  all: readonly PeerKey[],
  newestIds: readonly number[],
): Promise<DialogList> {
  const budget = pageBudget();
  const found = await viewNewest(call, all, newestIds, budget);
  const keys = all.slice(0, countShown(found, budget));
  const newest = found.slice(0, keys.length).filter((message) => message !== null);
  const parts = keys.map((key) => ({ key }));
  const [unread, archived, drafts, counts] = await Promise.all([
    readUnread(call, parts),
    areArchived(call, keys),
    findDrafts(call, parts),
    Promise.all(keys.map((key) => readCounts(call, key))),
  ]);
  const named = [...keys.map(toTlPeerOfKey), ...peersOf(drafts)];
  const { messages, users, chats } = await toMessageList(call, newest, named);
  const dialogs = keys.map((key, i) => ({
    ...toDialog(key, newestIds[i] as number, unread[i] as UnreadState, counts[i] as Counts),
    ...(archived[i] ? { folderId: ARCHIVE } : {}),
    ...(drafts[i] ? { draft: drafts[i] } : {}),
  }));
  return { dialogs, messages, users, chats };
}

// A user who only writes to a monoforum has one thread of it.
async function listHistories(call: CallContext, keys: readonly PeerKey[]): Promise<string[]> {
  const self = call.account.userId;
  const ids = keys.filter((key) => key.startsWith('c')).map((key) => Number(key.slice(1)));
  const [channels, members] = await Promise.all([
    findChannels(call, ids),
    Promise.all(ids.map((id) => findMember(call, id, self))),
  ]);
  const threads = new Map<PeerKey, Thread | undefined>(
    channels.map((channel, i) => {
      const [id, member] = [ids[i] as number, members[i] ?? null];
      return [
        `c${id}`,
        channel ? ownThread(call, { kind: 'channel', id, key: `c${id}`, channel, member }) : undefined,
      ];
    }),
  );
  return keys.map((key) => historyKey(self, key, threads.get(key)));
}

async function viewNewest(
  call: CallContext,
  keys: readonly PeerKey[],
  newestIds: readonly number[],
  budget: ReadBudget,
): Promise<(TlMessage | null)[]> {
  const found = await Promise.all(
    keys.map((key, i) => {
      const kind = key.startsWith('c') ? 'channel' : 'user';
      return viewMessages(call, { kind, id: Number(key.slice(1)), key }, [newestIds[i] as number], budget);
    }),
  );
  return found.flat();
}

interface Counts {
  mentions: number;
  pollVotes: number;
  pts: number | null;
}

async function readCounts(call: CallContext, key: PeerKey): Promise<Counts> {
  const self = call.account.userId;
  const [mentions, pollVotes, pts] = await Promise.all([
    call.tx.read.zcard(call.tx.key(mentionsKey(self, key))),
    call.tx.read.zcard(call.tx.key(pollVotesKey(self, key))),
    key.startsWith('c') ? readPts(call, channelBox(Number(key.slice(1)))) : null,
  ]);
  return { mentions, pollVotes, pts };
}

function toDialog(key: PeerKey, topMessage: number, unread: UnreadState, counts: Counts): Dialog {
  return {
    _: 'dialog',
    peer: toTlPeerOfKey(key),
    topMessage,
    readInboxMaxId: unread.read,
    readOutboxMaxId: unread.seen,
    unreadCount: unread.count,
    ...(unread.marked ? { unreadMark: true } : {}),
    unreadMentionsCount: counts.mentions,
    unreadReactionsCount: 0,
    unreadPollVotesCount: counts.pollVotes,
    notifySettings: NOTIFY_SETTINGS,
    ...(counts.pts === null ? {} : { pts: counts.pts }),
  };
}
