import type { MethodParams } from '../../../../src/tl/tl-json.ts';
import { type CallContext, defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import type { TlMessage } from '../../model/boxes/messages.ts';
import { isSentBetween, passesFilter, QUERY_MAX, toTextMatcher } from '../../model/boxes/search-filter.ts';
import { readLimit } from '../../model/common/history-window.ts';
import { userBox } from '../../model/common/keys.ts';
import { ARCHIVE, listArchived } from '../../model/conversations/archive.ts';
import { toMessageList } from '../../model/messages/message-list.ts';
import { viewFound } from '../../model/messages/read-messages.ts';
import { keyOfInput, peerKeyOf } from '../../model/peers/tl-peer.ts';
import { findEverywhere, type SearchedKinds } from '../../model/search/search-everywhere.ts';

type Params = MethodParams<'messages.searchGlobal'>;

const FOLDERS: readonly (number | undefined)[] = [undefined, 0, ARCHIVE];

/**
 * Searches the messages of all conversations, newest first. A page continues after the date (`offsetRate`), peer and id of the last message
 * of the page before it. Errors: `SEARCH_QUERY_EMPTY`, `FOLDER_ID_INVALID`, `MESSAGE_TOO_LONG` for a query of more than 250 characters.
 */
export const searchGlobal = defineMethod('messages.searchGlobal', async (params, call) => {
  const limit = readLimit(params.limit);
  if (params.q.length > QUERY_MAX) throw new MessengerError('MESSAGE_TOO_LONG');
  if (!FOLDERS.includes(params.folderId)) throw new MessengerError('FOLDER_ID_INVALID');
  const asksNothing = params.q.trim() === '' && params.filter._ === 'inputMessagesFilterEmpty';
  if (asksNothing) throw new MessengerError('SEARCH_QUERY_EMPTY');
  const isListed = await readListed(call, params);
  const isWanted = toWanted(params);
  const { found, isWhole } = await findEverywhere(
    call,
    kindsOf(params),
    (message) => isListed(message) && isWanted(message),
  );
  const inOrder = found.map((one) => ({ one, ...placeOf(one.message) })).sort(comparePlaces);
  const after = readOffset(call, params);
  const rest = after === null ? inOrder : inOrder.filter((place) => isBehind(place, after));
  const page = rest.slice(0, limit).map(({ one }) => one);
  const shown = await viewFound(call, page);
  const list = await toMessageList(call, shown);
  if (isWhole && shown.length === inOrder.length) return list;
  const last = shown.at(-1);
  return {
    ...list,
    _: 'messages.messagesSlice',
    count: inOrder.length,
    ...(isWhole ? {} : { inexact: true }),
    ...(last && rest.length > shown.length ? { nextRate: last.date } : {}),
  };
});

function kindsOf({ usersOnly = false, groupsOnly = false, broadcastsOnly = false }: Params): SearchedKinds {
  const all = !usersOnly && !groupsOnly && !broadcastsOnly;
  return { users: all || usersOnly, groups: all || groupsOnly, broadcasts: all || broadcastsOnly };
}

function toWanted(params: Params): (message: TlMessage) => boolean {
  const says = toTextMatcher(params.q);
  return (message) =>
    isSentBetween(message, params) && passesFilter(params.filter._, message) && says(message);
}

/** Returns a test whether a message belongs to a dialog in the wanted folder. */
async function readListed(call: CallContext, { folderId }: Params): Promise<(message: TlMessage) => boolean> {
  if (folderId === undefined) return () => true;
  const archived = new Set(await listArchived(call));
  return ({ peerId }) => archived.has(peerKeyOf(peerId)) === (folderId === ARCHIVE);
}

interface Place {
  date: number;
  key: string;
  id: number;
}

function placeOf(message: TlMessage): Place {
  return { date: message.date, key: peerKeyOf(message.peerId), id: message.id };
}

function comparePlaces(a: Place, b: Place): number {
  if (a.date !== b.date) return b.date - a.date;
  if (a.key !== b.key) return a.key < b.key ? -1 : 1;
  return b.id - a.id;
}

function readOffset(call: CallContext, { offsetRate, offsetPeer, offsetId }: Params): Place | null {
  if (offsetRate <= 0) return null;
  const own = offsetPeer._ === 'inputPeerSelf' ? userBox(call.account.userId) : null;
  return { date: offsetRate, key: own ?? keyOfInput(offsetPeer) ?? '', id: offsetId };
}

// Without a peer, all messages of the date are skipped.
function isBehind(place: Place, after: Place): boolean {
  return after.key === '' ? place.date < after.date : comparePlaces(after, place) < 0;
}

export const example: Example<'messages.searchGlobal'> = () => ({
  q: 'welcome',
  filter: { _: 'inputMessagesFilterEmpty' },
  minDate: 0,
  maxDate: 0,
  offsetRate: 0,
  offsetPeer: { _: 'inputPeerEmpty' },
  offsetId: 0,
  limit: 20,
});

export const difference =
  'Searches the 1,000 newest messages of private chats and basic groups, and the 50 newest of each of the 20 latest channels of the account, up to 2 MiB.';
