import type { CallContext } from '../../../driver.ts';
import { readingSlices } from '../../../turns/slices.ts';
import { historyKey } from '../boxes/keys.ts';
import { findMessages, type TlMessage } from '../boxes/messages.ts';
import { type ChannelRecord, findChannels } from '../chats/chats.ts';
import { type PeerKey, SEQ, userBox } from '../common/keys.ts';
import type { ReadBudget } from '../common/read-budget.ts';
import { dialogsKey } from '../conversations/keys.ts';
import { viewMessages } from '../messages/read-messages.ts';

/** The conversations to search. */
export interface SearchScope {
  users: boolean;
  groups: boolean;
  broadcasts: boolean;
}

const IN_BOX_MAX = 1_000;
const CHANNELS_MAX = 20;
const IN_CHANNEL_MAX = 50;
const DIALOGS_MAX = 200;
const CHARACTERS_MAX = 2 * 1024 * 1024;
const CHUNK = 100;

/**
 * The wanted messages of the account, in no order. Searches the 1,000 newest of its private chats and basic groups, and the 50 newest of
 * each of its 20 latest channels, or fewer if they are large. `isWhole` says that it has no others.
 */
export async function findEverywhere(
  call: CallContext,
  scope: SearchScope,
  isWanted: (message: TlMessage) => boolean,
): Promise<{ found: TlMessage[]; isWhole: boolean }> {
  const budget = { left: CHARACTERS_MAX };
  const box = await searchBox(call, scope, budget, isWanted);
  const channels = await searchChannels(call, scope, budget, isWanted);
  return {
    found: [...box.found, ...channels.found],
    isWhole: box.isWhole && channels.isWhole && budget.left >= 0,
  };
}

type Matches = Awaited<ReturnType<typeof findEverywhere>>;

async function searchBox(
  call: CallContext,
  { users, groups }: SearchScope,
  budget: ReadBudget,
  isWanted: (message: TlMessage) => boolean,
): Promise<Matches> {
  if (!users && !groups) return { found: [], isWhole: true };
  const { tx, account, workspaceId } = call;
  const box = userBox(account.userId);
  const last = Number((await tx.read.hget(tx.key(SEQ), `msg:${box}`)) ?? 0);
  const lowest = Math.max(0, last - IN_BOX_MAX);
  const found: TlMessage[] = [];
  for (let top = last; top > lowest && budget.left >= 0; top -= CHUNK) {
    const ids = Array.from({ length: Math.min(CHUNK, top - lowest) }, (_, i) => top - i);
    const messages = await findMessages(call, box, ids, budget);
    await readingSlices.next(workspaceId);
    for (const one of messages) {
      const isIn = one?.message.peerId._ === 'peerUser' ? users : groups;
      if (one && isIn && isWanted(one.message)) found.push(one.message);
    }
  }
  return { found, isWhole: lowest === 0 };
}

async function searchChannels(
  call: CallContext,
  scope: SearchScope,
  budget: ReadBudget,
  isWanted: (message: TlMessage) => boolean,
): Promise<Matches> {
  const { tx, account, workspaceId } = call;
  if (!scope.groups && !scope.broadcasts) return { found: [], isWhole: true };
  const name = tx.key(dialogsKey(account.userId));
  const dialogs = (await tx.read.zrevrange(name, 0, DIALOGS_MAX - 1)) as PeerKey[];
  const ids = dialogs.filter((key) => key.startsWith('c')).map((key) => Number(key.slice(1)));
  const channels = (await findChannels(call, ids)).filter(
    (channel) => channel !== null && isIn(scope, channel),
  );
  const found: TlMessage[] = [];
  let isWhole = dialogs.length < DIALOGS_MAX && channels.length <= CHANNELS_MAX;
  for (const channel of channels.slice(0, CHANNELS_MAX)) {
    if (!channel || budget.left < 0) break;
    const key: PeerKey = `c${channel.id}`;
    const newest = await tx.read.zrevrange(tx.key(historyKey(account.userId, key)), 0, IN_CHANNEL_MAX - 1);
    if (newest.length === IN_CHANNEL_MAX) isWhole = false;
    const peer = { kind: 'channel', id: channel.id, key } as const;
    const messages = await viewMessages(call, peer, newest.map(Number), budget);
    await readingSlices.next(workspaceId);
    found.push(...messages.filter((message) => message !== null).filter(isWanted));
  }
  return { found, isWhole };
}

function isIn({ groups, broadcasts }: SearchScope, { kind }: ChannelRecord): boolean {
  return kind === 'megagroup' ? groups : kind === 'broadcast' && broadcasts;
}
