import type { MethodResult } from '../../../../src/tl/tl-json.ts';
import type { CallContext } from '../../../driver.ts';
import { peersOf } from '../boxes/named-peers.ts';
import { channelBox } from '../common/keys.ts';
import { readPts } from '../common/pts.ts';
import { countShown, pageBudget, refuseOverBudget } from '../common/read-budget.ts';
import { findTopics, viewTopics } from '../conversations/topic-records.ts';
import { toMessageList } from '../messages/message-list.ts';
import { viewMessages } from '../messages/read-messages.ts';
import type { ChannelPeer } from '../peers/peer.ts';

type ForumTopics = MethodResult<'messages.getForumTopics'>;

/**
 * Shows topics of a forum with the newest message of each; `count` says how many topics there are in all. Without `deleted`, the list ends
 * where the messages exceed 4 MiB. With it, topics that do not exist are shown as deleted, and more than 4 MiB are refused with
 * `RESULTS_TOO_MUCH`.
 */
export async function showTopics(
  call: CallContext,
  peer: ChannelPeer,
  ids: readonly number[],
  { count, deleted = false }: { count: number; deleted?: boolean },
): Promise<ForumTopics> {
  const found = await findTopics(call, peer, ids);
  const existing = found.flatMap((topic, i) => (topic ? [{ id: ids[i] as number, topic }] : []));
  const [viewed, pts] = await Promise.all([
    viewTopics(call, peer, existing),
    readPts(call, channelBox(peer.id)),
  ]);
  const budget = pageBudget();
  const topIds = viewed.map(({ topMessage }) => topMessage);
  const newest = await viewMessages(call, peer, topIds, budget);
  if (deleted) refuseOverBudget(budget);
  const fitting = countShown(newest, budget);
  const shown = viewed.slice(0, fitting);
  const messages = newest.slice(0, fitting).filter((message) => message !== null);
  const list = await toMessageList(call, messages, peersOf(shown));
  const gone = ids
    .filter((_, i) => deleted && !found[i])
    .map((id) => ({ _: 'forumTopicDeleted', id }) as const);
  return { ...list, _: 'messages.forumTopics', count, topics: [...shown, ...gone], pts };
}
