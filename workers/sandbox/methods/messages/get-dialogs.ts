import type { MethodResult } from '../../../../src/tl/tl-json.ts';
import { type CallContext, defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { historyKey } from '../../model/boxes/keys.ts';
import type { TlMessage } from '../../model/boxes/messages.ts';
import { findChannels, findMember } from '../../model/chats/chats.ts';
import { readDatedPage } from '../../model/common/dated-page.ts';
import { channelBox, type PeerKey, type Thread } from '../../model/common/keys.ts';
import { hashOfIds } from '../../model/common/list-hash.ts';
import { readPts } from '../../model/common/pts.ts';
import { aPageBudget, countShown, type ReadBudget } from '../../model/common/read-budget.ts';
import { dialogsKey, mentionsKey, pollVotesKey } from '../../model/conversations/keys.ts';
import { NOTIFY_SETTINGS } from '../../model/conversations/notify-settings.ts';
import { readTopIds } from '../../model/conversations/top-messages.ts';
import { ownTalk } from '../../model/conversations/topics.ts';
import { readUnread, type UnreadState } from '../../model/conversations/unread-state.ts';
import { toMessageList } from '../../model/messages/message-list.ts';
import { viewMessages } from '../../model/messages/read-messages.ts';
import { readOffsetPeer } from '../../model/peers/offset-peer.ts';
import { toTlPeerOfKey } from '../../model/peers/tl-peer.ts';

type Dialog = Extract<MethodResult<'messages.getDialogs'>, { _: 'messages.dialogs' }>['dialogs'][number];

const FOLDERS: readonly (number | undefined)[] = [undefined, 0];
const ARCHIVE = 1;

/**
 * The conversations of the account, latest first: `messages.dialogs` where that is all of them, else a slice. Nothing is ever in
 * the archive. Errors: `FOLDER_ID_INVALID`, `OFFSET_PEER_ID_INVALID`.
 */
export const getDialogs = defineMethod('messages.getDialogs', async (params, call) => {
  if (params.folderId === ARCHIVE)
    return { _: 'messages.dialogs', dialogs: [], messages: [], chats: [], users: [] };
  if (!FOLDERS.includes(params.folderId)) throw new MessengerError('FOLDER_ID_INVALID');
  const name = dialogsKey(call.account.userId);
  const after = await findOffset(call, params.offsetPeer, name);
  const page = await readDatedPage<PeerKey>(call, name, { ...params, after });
  const allIds = await readTopIds(call, await listHistories(call, page.members));
  if (params.hash !== '0' && params.hash === hashOfIds(allIds)) {
    return { _: 'messages.dialogsNotModified', count: page.total };
  }
  const budget = aPageBudget();
  const found = await viewTops(call, page.members, allIds, budget);
  const keys = page.members.slice(0, countShown(found, budget));
  const topIds = allIds.slice(0, keys.length);
  const tops = found.slice(0, keys.length).filter((message) => message !== null);
  const [unread, counts, { messages, users, chats }] = await Promise.all([
    readUnread(
      call,
      keys.map((key) => ({ key })),
    ),
    Promise.all(keys.map((key) => readCounts(call, key))),
    toMessageList(call, tops, keys.map(toTlPeerOfKey)),
  ]);
  const dialogs = keys.map((key, i) =>
    toDialog(key, topIds[i] as number, unread[i] as UnreadState, counts[i] as Counts),
  );
  const shown = { dialogs, messages, users, chats };
  return page.isWhole && keys.length === page.members.length
    ? { _: 'messages.dialogs', ...shown }
    : { _: 'messages.dialogsSlice', count: page.total, ...shown };
});

async function findOffset(
  call: CallContext,
  input: Parameters<typeof readOffsetPeer>[1],
  name: string,
): Promise<PeerKey | null> {
  try {
    return await readOffsetPeer(call, input, name);
  } catch (error) {
    if (error instanceof MessengerError) throw new MessengerError('OFFSET_PEER_ID_INVALID');
    throw error;
  }
}

// A user who only writes to a monoforum has one thread of it.
async function listHistories(call: CallContext, keys: PeerKey[]): Promise<string[]> {
  const self = call.account.userId;
  const ids = keys.filter((key) => key.startsWith('c')).map((key) => Number(key.slice(1)));
  const [channels, members] = await Promise.all([
    findChannels(call, ids),
    Promise.all(ids.map((id) => findMember(call, id, self))),
  ]);
  const talks = new Map<PeerKey, Thread | undefined>(
    channels.map((channel, i) => {
      const [id, member] = [ids[i] as number, members[i] ?? null];
      return [
        `c${id}`,
        channel ? ownTalk(call, { kind: 'channel', id, key: `c${id}`, channel, member }) : undefined,
      ];
    }),
  );
  return keys.map((key) => historyKey(self, key, talks.get(key)));
}

async function viewTops(
  call: CallContext,
  keys: PeerKey[],
  topIds: number[],
  budget: ReadBudget,
): Promise<(TlMessage | null)[]> {
  const found = await Promise.all(
    keys.map((key, i) => {
      const kind = key.startsWith('c') ? 'channel' : 'user';
      return viewMessages(call, { kind, id: Number(key.slice(1)), key }, [topIds[i] as number], budget);
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
    unreadMentionsCount: counts.mentions,
    unreadReactionsCount: 0,
    unreadPollVotesCount: counts.pollVotes,
    notifySettings: NOTIFY_SETTINGS,
    ...(counts.pts === null ? {} : { pts: counts.pts }),
  };
}

export const example: Example<'messages.getDialogs'> = () => ({
  offsetDate: 0,
  offsetId: 0,
  offsetPeer: { _: 'inputPeerEmpty' },
  limit: 20,
  hash: '0',
});

export const difference = 'Nothing is pinned, and nothing is in the archive.';
