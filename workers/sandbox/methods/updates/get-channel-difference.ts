import type { MethodParams, MethodResult } from '../../../../src/tl/tl-json.ts';
import { type CallContext, defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { inputChannel } from '../../examples/input-peers.ts';
import { historyKey } from '../../model/boxes/keys.ts';
import { channelBox } from '../../model/common/keys.ts';
import { readPts } from '../../model/common/pts.ts';
import { countShown, pageBudget } from '../../model/common/read-budget.ts';
import { ownThread } from '../../model/conversations/topics.ts';
import { viewDialogs } from '../../model/dialogs/view-dialogs.ts';
import { toMessageList } from '../../model/messages/message-list.ts';
import { viewMessages } from '../../model/messages/read-messages.ts';
import type { ChannelPeer } from '../../model/peers/peer.ts';
import { resolveChannel } from '../../model/peers/resolve-peer.ts';
import { toTlPeer } from '../../model/peers/tl-peer.ts';
import { findChannelChanges } from '../../model/updates/channel-changes.ts';
import { viewChanges } from '../../model/updates/view-changes.ts';

type Filter = MethodParams<'updates.getChannelDifference'>['filter'];
type TooLong = Extract<
  MethodResult<'updates.getChannelDifference'>,
  { _: 'updates.channelDifferenceTooLong' }
>;

// How many changes are read, and how many are returned at once.
const PTS_MAX = 2_000;
const SLICE_MAX = 200;
const LATEST_MAX = 20;
const RANGES_MAX = 100;
// An account that views a channel without being a member gets no updates, and asks again after this many seconds.
const TIMEOUT = 30;

/**
 * A channel's changes since `pts`, as the account sees them; `final` says whether these are all. `channelDifferenceTooLong` if there are
 * more than `limit` or 2,000, or if they are no longer kept in full. Errors: `PERSISTENT_TIMESTAMP_EMPTY`, `PERSISTENT_TIMESTAMP_INVALID`,
 * `RANGES_INVALID` for more than 100 or one that ends before it begins, `CHANNEL_PRIVATE`.
 */
export const getChannelDifference = defineMethod('updates.getChannelDifference', async (params, call) => {
  const { pts, limit } = params;
  if (pts <= 0) throw new MessengerError('PERSISTENT_TIMESTAMP_EMPTY');
  if (limit < 0) throw new MessengerError('LIMIT_INVALID');
  const passes = readFilter(params.filter);
  const peer = await resolveChannel(call, params.channel);
  const present = await readPts(call, channelBox(peer.id));
  if (pts > present) throw new MessengerError('PERSISTENT_TIMESTAMP_INVALID');
  if (pts === present) return { _: 'updates.channelDifferenceEmpty', final: true, pts, timeout: TIMEOUT };
  if (present - pts > Math.min(limit, PTS_MAX)) return toTooLong(call, peer);
  const changes = await findChannelChanges(call, peer.id, { since: pts, present });
  if (!changes) return toTooLong(call, peer);
  const slice = changes.slice(0, SLICE_MAX);
  const final = slice.length === changes.length;
  const shown = await viewChanges(call, peer, slice, { passes, readAt: final ? present : null });
  if (!shown) return toTooLong(call, peer);
  const reached = final ? present : (slice.at(-1)?.pts ?? present);
  return { _: 'updates.channelDifference', final, pts: reached, timeout: TIMEOUT, ...shown };
});

function readFilter(filter: Filter): (id: number) => boolean {
  if (filter._ === 'channelMessagesFilterEmpty') return () => true;
  const { ranges, excludeNewMessages } = filter;
  if (ranges.length > RANGES_MAX || ranges.some(({ minId, maxId }) => minId > maxId))
    throw new MessengerError('RANGES_INVALID');
  return (id) => !excludeNewMessages && ranges.some(({ minId, maxId }) => id >= minId && id <= maxId);
}

async function toTooLong(call: CallContext, peer: ChannelPeer): Promise<TooLong> {
  const name = call.tx.key(historyKey(0, peer.key, ownThread(call, peer)));
  const ids = (await call.tx.read.zrevrange(name, 0, LATEST_MAX - 1)).map(Number);
  const budget = pageBudget();
  const [{ dialogs }, found] = await Promise.all([
    viewDialogs(call, [peer.key], [ids[0] ?? 0]),
    viewMessages(call, peer, ids, budget),
  ]);
  const latest = found.slice(0, countShown(found, budget)).filter((message) => message !== null);
  const { messages, users, chats } = await toMessageList(call, latest, [toTlPeer(peer)]);
  const [dialog] = dialogs as [TooLong['dialog']];
  const rest = { dialog, messages, users, chats };
  return { _: 'updates.channelDifferenceTooLong', final: true, timeout: TIMEOUT, ...rest };
}

export const example: Example<'updates.getChannelDifference'> = async (context) => ({
  channel: await inputChannel(context, 'channelId'),
  filter: { _: 'channelMessagesFilterEmpty' },
  pts: 1,
  limit: 100,
});

export const difference =
  'Looks back 2,000 changes or 2 MiB, and shows up to 4 MiB (of a talk in a monoforum, 2 MiB), in parts of 200; the last part says how far the channel is read.';
