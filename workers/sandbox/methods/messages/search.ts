import type { MethodParams } from '../../../../src/tl/tl-json.ts';
import { type CallContext, defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { SELF } from '../../examples/input-peers.ts';
import { ID_WINDOW } from '../../examples/windows.ts';
import { historyKey } from '../../model/boxes/keys.ts';
import { type FoundMessage, findMessages, type TlMessage } from '../../model/boxes/messages.ts';
import { isSentBetween, passesFilter, QUERY_MAX, toTextMatcher } from '../../model/boxes/search-filter.ts';
import { readLimit } from '../../model/common/history-window.ts';
import { type PeerKey, SEQ, type Thread, userBox } from '../../model/common/keys.ts';
import { hashOfIds } from '../../model/common/list-hash.ts';
import { readPts } from '../../model/common/pts.ts';
import { resolveSavedPeer } from '../../model/conversations/saved-threads.ts';
import { ownThread, threadOfTopic } from '../../model/conversations/topics.ts';
import { toMessageList } from '../../model/messages/message-list.ts';
import { viewFound, viewSearched } from '../../model/messages/read-messages.ts';
import { boxOf, type Peer } from '../../model/peers/peer.ts';
import { resolvePeer } from '../../model/peers/resolve-peer.ts';
import { peerKeyOf } from '../../model/peers/tl-peer.ts';
import { pickWanted } from '../../model/search/pick-wanted.ts';

type Params = MethodParams<'messages.search'>;

const SEARCHED_MAX = 2_000;
const SEARCHED_CHARACTERS = 2 * 1024 * 1024;
const CHUNK = 100;

/**
 * Searches the messages of a conversation, or with `inputPeerEmpty` of all private chats and basic groups, newest first: the 2,000 newest
 * between the given ids, or fewer if they are large. Errors: `SEARCH_QUERY_EMPTY` if there is nothing to search for,
 * `MESSAGE_TOO_LONG` for a query of more than 250 characters, `FROM_PEER_INVALID`.
 */
export const search = defineMethod('messages.search', async (params, call) => {
  const limit = readLimit(params.limit);
  if (params.q.length > QUERY_MAX) throw new MessengerError('MESSAGE_TOO_LONG');
  const isEverywhere = params.peer._ === 'inputPeerEmpty' && !params.savedPeerId;
  const peer = await resolvePeer(call, isEverywhere ? SELF : params.peer, { left: true });
  const [thread, author] = await Promise.all([findThread(call, peer, params), findAuthor(call, params)]);
  const asksNothing = params.filter._ === 'inputMessagesFilterEmpty' && author === null && !thread;
  if (params.q.trim() === '' && asksNothing) throw new MessengerError('SEARCH_QUERY_EMPTY');
  const name = historyKey(call.account.userId, peer.key, thread ?? ownThread(call, peer));
  const listIds = isEverywhere ? await idsOfBox(call, params) : idsOfList(call, name, params);
  const { matches, inexact } = await findMatches(call, peer, { listIds, params, author });
  const from = matches.findIndex(({ message: { id } }) => params.offsetId <= 0 || id < params.offsetId);
  const start = (from < 0 ? matches.length : from) + params.addOffset;
  const page = matches.slice(Math.max(0, start), Math.max(0, start + limit));
  if (params.hash !== '0' && params.hash === hashOfIds(page.map(({ message }) => message.id))) {
    return { _: 'messages.messagesNotModified', count: matches.length };
  }
  const messages = await viewFound(call, page);
  const list = await toMessageList(call, messages);
  const counted = { count: matches.length, ...(inexact ? { inexact } : {}) };
  if (peer.kind === 'channel') {
    const pts = await readPts(call, boxOf(call, peer));
    return { ...list, _: 'messages.channelMessages', pts, ...counted };
  }
  const isWhole = messages.length === matches.length && !inexact;
  return isWhole ? list : { ...list, _: 'messages.messagesSlice', ...counted };
});

async function findThread(call: CallContext, peer: Peer, params: Params): Promise<Thread | undefined> {
  if (params.savedPeerId) return resolveSavedPeer(call, peer, params.savedPeerId);
  return threadOfTopic(call, peer, params.topMsgId);
}

async function findAuthor(call: CallContext, { fromId }: Params): Promise<PeerKey | null> {
  if (!fromId) return null;
  try {
    return (await resolvePeer(call, fromId)).key;
  } catch (error) {
    if (error instanceof MessengerError) throw new MessengerError('FROM_PEER_INVALID');
    throw error;
  }
}

/** Lists some of the ids to search, newest first: those below one. Counted by rank, ids would shift when messages come or go. */
type ListIds = (below: number) => Promise<number[]>;

function idsOfList({ tx }: CallContext, name: string, { minId }: Params): ListIds {
  const to = minId > 0 ? `(${minId}` : '-inf';
  return async (below) => {
    const from = Number.isFinite(below) ? `(${below}` : '+inf';
    return (await tx.read.zrevrangebyscore(tx.key(name), from, to, 'LIMIT', 0, CHUNK)).map(Number);
  };
}

// All ids of the account's own box, including those of deleted messages.
async function idsOfBox({ tx, account }: CallContext, { minId }: Params): Promise<ListIds> {
  const last = Number((await tx.read.hget(tx.key(SEQ), `msg:${userBox(account.userId)}`)) ?? 0);
  return async (below) => {
    const top = Math.min(last, below - 1);
    const count = Math.min(CHUNK, top - Math.max(0, minId));
    return Array.from({ length: Math.max(0, count) }, (_, i) => top - i);
  };
}

interface Query {
  listIds: ListIds;
  params: Params;
  author: PeerKey | null;
}

async function findMatches(
  call: CallContext,
  peer: Peer,
  query: Query,
): Promise<{ matches: FoundMessage[]; inexact: boolean }> {
  const matches: FoundMessage[] = [];
  const says = toTextMatcher(query.params.q);
  const budget = { left: SEARCHED_CHARACTERS };
  const { maxId } = query.params;
  let below = maxId > 0 ? maxId : Number.POSITIVE_INFINITY;
  for (let searched = 0; searched < SEARCHED_MAX; searched += CHUNK) {
    const ids = await query.listIds(below);
    const found = await findMessages(call, boxOf(call, peer), ids, budget);
    const passes = (message: TlMessage) => isWanted(message, query) && says(message);
    matches.push(...(await pickWanted(call, found, (one) => passes(viewSearched(call, one)))));
    if (budget.left < 0) break;
    if (ids.length < CHUNK) return { matches, inexact: false };
    below = ids.at(-1) as number;
  }
  return { matches, inexact: true };
}

function isWanted(message: TlMessage, { params, author }: Query): boolean {
  const { filter, savedReaction } = params;
  // Messages in the account's own chat are not tagged.
  if (savedReaction !== undefined && savedReaction.length > 0) return false;
  const isBy = author === null || peerKeyOf(message.fromId ?? message.peerId) === author;
  return isSentBetween(message, params) && isBy && passesFilter(filter._, message);
}

export const example: Example<'messages.search'> = () => ({
  peer: SELF,
  q: 'welcome',
  filter: { _: 'inputMessagesFilterEmpty' },
  minDate: 0,
  maxDate: 0,
  ...ID_WINDOW,
  hash: '0',
});

export const difference =
  'Searches the 2,000 newest messages of a conversation, up to 2 MiB. Messages have no tags.';
