import type { CallContext } from '../../../driver.ts';
import { historyKey } from '../boxes/keys.ts';
import { type FoundMessage, findMessages, type TlMessage } from '../boxes/messages.ts';
import { type ChannelRecord, findChannels } from '../chats/chats.ts';
import { channelBox, type PeerKey, SEQ, userBox } from '../common/keys.ts';
import type { ReadBudget } from '../common/read-budget.ts';
import { dialogsKey } from '../conversations/keys.ts';
import { viewSearched } from '../messages/read-messages.ts';
import { pickWanted } from './pick-wanted.ts';

/** The kinds of conversations to search. */
export interface SearchedKinds {
  /** Private chats. */
  users: boolean;
  /** Basic groups and megagroups. */
  groups: boolean;
  /** Broadcast channels. */
  broadcasts: boolean;
}

interface Matches {
  found: FoundMessage[];
  /** Whether all messages were searched. */
  isWhole: boolean;
}

// What bounds the cost of a search, for an account without bounds on its messages.
const BOX_MESSAGES_MAX = 1_000;
const CHANNELS_MAX = 20;
const CHANNEL_MESSAGES_MAX = 50;
const DIALOGS_MAX = 200;
const CHARACTERS_MAX = 2 * 1024 * 1024;

// How many messages are read at once.
const CHUNK = 100;

/**
 * The wanted messages of the account, in no order. Searches the 1,000 newest of its private chats and basic groups, and the 50 newest of
 * each of its 20 latest channels, or fewer if these have more than 2 MiB of characters.
 */
export async function findEverywhere(
  call: CallContext,
  kinds: SearchedKinds,
  isWanted: (message: TlMessage) => boolean,
): Promise<Matches> {
  const budget = { left: CHARACTERS_MAX };
  const box = await searchBox(call, kinds, budget, isWanted);
  const channels = await searchChannels(call, kinds, budget, isWanted);
  return {
    found: [...box.found, ...channels.found],
    isWhole: box.isWhole && channels.isWhole && budget.left >= 0,
  };
}

async function searchBox(
  call: CallContext,
  { users, groups }: SearchedKinds,
  budget: ReadBudget,
  isWanted: (message: TlMessage) => boolean,
): Promise<Matches> {
  if (!users && !groups) return { found: [], isWhole: true };
  const { tx, account } = call;
  const box = userBox(account.userId);
  const newestId = Number((await tx.read.hget(tx.key(SEQ), `msg:${box}`)) ?? 0);
  const end = Math.max(0, newestId - BOX_MESSAGES_MAX);
  const found: FoundMessage[] = [];
  for (let first = newestId; first > end && budget.left >= 0; first -= CHUNK) {
    const ids = Array.from({ length: Math.min(CHUNK, first - end) }, (_, i) => first - i);
    const messages = await findMessages(call, box, ids, budget);
    const isSearched = ({ peerId }: TlMessage) => (peerId._ === 'peerUser' ? users : groups);
    const wanted = ({ message }: FoundMessage) => isSearched(message) && isWanted(message);
    found.push(...(await pickWanted(call, messages, wanted)));
  }
  return { found, isWhole: end === 0 };
}

async function searchChannels(
  call: CallContext,
  kinds: SearchedKinds,
  budget: ReadBudget,
  isWanted: (message: TlMessage) => boolean,
): Promise<Matches> {
  const { tx, account } = call;
  if (!kinds.groups && !kinds.broadcasts) return { found: [], isWhole: true };
  const name = tx.key(dialogsKey(account.userId));
  const dialogs = (await tx.read.zrevrange(name, 0, DIALOGS_MAX - 1)) as PeerKey[];
  const ids = dialogs.filter((key) => key.startsWith('c')).map((key) => Number(key.slice(1)));
  const channels = (await findChannels(call, ids)).filter(
    (channel) => channel !== null && isOfKinds(channel, kinds),
  );
  const found: FoundMessage[] = [];
  let isWhole = dialogs.length < DIALOGS_MAX && channels.length <= CHANNELS_MAX;
  for (const channel of channels.slice(0, CHANNELS_MAX)) {
    if (!channel || budget.left < 0) break;
    const key: PeerKey = `c${channel.id}`;
    const newest = await tx.read.zrevrange(
      tx.key(historyKey(account.userId, key)),
      0,
      CHANNEL_MESSAGES_MAX - 1,
    );
    if (newest.length === CHANNEL_MESSAGES_MAX) isWhole = false;
    const messages = await findMessages(call, channelBox(channel.id), newest, budget);
    found.push(...(await pickWanted(call, messages, (one) => isWanted(viewSearched(call, one)))));
  }
  return { found, isWhole };
}

function isOfKinds({ kind }: ChannelRecord, { groups, broadcasts }: SearchedKinds): boolean {
  return kind === 'megagroup' ? groups : kind === 'broadcast' && broadcasts;
}
