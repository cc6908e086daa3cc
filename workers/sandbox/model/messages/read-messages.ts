import type { CallContext } from '../../../driver.ts';
import { consumedKey } from '../boxes/keys.ts';
import { showsUnread } from '../boxes/media.ts';
import { type FoundMessage, findMessages, type TlMessage } from '../boxes/messages.ts';
import { viewChannelMessage } from '../boxes/view-message.ts';
import { groupBy } from '../common/group-by.ts';
import { channelBox } from '../common/keys.ts';
import { pageBudget, type ReadBudget } from '../common/read-budget.ts';
import { mentionsKey } from '../conversations/keys.ts';
import { boxOf, type Peer } from '../peers/peer.ts';
import { reactedKey, viewsKey } from '../reactions/keys.ts';
import { addReactions, addViews, type WithoutReactions } from '../reactions/post-counts.ts';

type Conversation = Pick<Peer, 'kind' | 'id' | 'key'>;

/** What a channel keeps beside a message, as far as it concerns the calling account. */
interface Beside {
  mentionUnread: boolean;
  views: number;
  reacted: boolean;
}

/**
 * The messages of these ids in a conversation as the calling account sees them; null for those that do not exist, and for those that exceed
 * a budget with their reactions: its `left` is then negative.
 */
export async function viewMessages(
  call: CallContext,
  peer: Conversation,
  ids: readonly number[],
  budget: ReadBudget = { left: Number.POSITIVE_INFINITY },
): Promise<(TlMessage | null)[]> {
  const { left } = budget;
  return addReactions(call, await findWithoutReactions(call, peer, ids, budget), budget, left);
}

/** The same without the reactions to messages of channels. */
export async function viewWithoutReactions(
  call: CallContext,
  peer: Conversation,
  ids: readonly number[],
  budget?: ReadBudget,
): Promise<(TlMessage | null)[]> {
  return (await findWithoutReactions(call, peer, ids, budget)).map((one) => one?.message ?? null);
}

/** Messages that were found as the calling account sees them: those that, with their reactions, fit a page. */
export async function viewFound(call: CallContext, found: readonly FoundMessage[]): Promise<TlMessage[]> {
  const beside = new Map<FoundMessage, Beside>();
  const byChannel = groupBy(found, ({ message: { peerId } }) =>
    'channelId' in peerId ? peerId.channelId : null,
  );
  const readAll = [...byChannel].map(async ([channelId, own]) => {
    if (channelId === null) return;
    const ids = own.map(({ message }) => message.id);
    const read = await readBeside(call, channelId, ids);
    for (const [i, one] of own.entries()) beside.set(one, read[i] as Beside);
  });
  const [consumed] = await Promise.all([readConsumed(call, found), ...readAll]);
  const withoutReactions = found.map((one, i) =>
    toWithoutReactions(call, one, beside.get(one), consumed[i] === true),
  );
  const budget = pageBudget();
  const viewed = await addReactions(call, withoutReactions, budget, budget.left);
  return viewed.filter((message) => message !== null);
}

/** A message that was found as it is searched: as the calling account sees it, but for what is kept beside it. */
export function viewSearched({ account }: CallContext, found: FoundMessage): TlMessage {
  if (found.message.peerId._ !== 'peerChannel') return found.message;
  return viewChannelMessage(found, account.userId, { mentionUnread: false, consumed: true });
}

async function findWithoutReactions(
  call: CallContext,
  peer: Conversation,
  ids: readonly number[],
  budget?: ReadBudget,
): Promise<(WithoutReactions | null)[]> {
  if (ids.length === 0) return [];
  const [found, beside] = await Promise.all([
    findMessages(call, boxOf(call, peer), ids, budget),
    peer.kind === 'channel' ? readBeside(call, peer.id, ids) : [],
  ]);
  const consumed = await readConsumed(call, found);
  return found.map((one, i) => one && toWithoutReactions(call, one, beside[i], consumed[i] === true));
}

async function readBeside(
  { tx, account }: CallContext,
  channelId: number,
  ids: readonly number[],
): Promise<Beside[]> {
  const { read } = tx;
  const [fields, viewer] = [ids.map(String), account.userId];
  const [mentions, views, reacted] = await Promise.all([
    read.zmscore(tx.key(mentionsKey(viewer, channelBox(channelId))), ...fields),
    read.hmget(tx.key(viewsKey(channelId)), ...fields),
    read.smismember(tx.key(reactedKey(channelId)), ...fields),
  ]);
  return ids.map((_, i) => ({
    mentionUnread: mentions[i] !== null,
    views: Number(views[i] ?? 0),
    reacted: reacted[i] === 1,
  }));
}

/** Which of the messages the calling account has heard or seen: of those of channels that show it. The others take no read. */
function readConsumed(
  { tx, account }: CallContext,
  found: readonly (FoundMessage | null)[],
): Promise<boolean[]> {
  return Promise.all(
    found.map(async (one) => {
      if (one?.message.peerId._ !== 'peerChannel' || one.message.post || !showsUnread(one.message))
        return false;
      const post = { channelId: one.message.peerId.channelId, msgId: one.message.id };
      return (await tx.read.sismember(tx.key(consumedKey(post)), String(account.userId))) === 1;
    }),
  );
}

function toWithoutReactions(
  { account }: CallContext,
  found: FoundMessage,
  beside: Beside | undefined,
  consumed: boolean,
): WithoutReactions {
  const { message, raw } = found;
  if (!beside) return { message, length: raw.length, target: null };
  const viewed = viewChannelMessage(found, account.userId, { ...beside, consumed });
  return {
    message: addViews(viewed, beside.views),
    length: raw.length,
    target:
      beside.reacted && message.peerId._ === 'peerChannel'
        ? `c${message.peerId.channelId}:${message.id}`
        : null,
  };
}
