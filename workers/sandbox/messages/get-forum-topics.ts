import type { MethodParams } from '../../../src/tl/tl-json.ts';
import { type CallContext, defineMethod } from '../../driver.ts';
import { readDatedPage } from '../model/dated-page.ts';
import { toMessageList } from '../model/message-list.ts';
import type { ChannelPeer } from '../model/peers.ts';
import { readPts } from '../model/pts.ts';
import { viewMessages } from '../model/read-messages.ts';
import { resolveForum } from '../model/resolve-forum.ts';
import { channelBox, type Thread, threadsKey, topicsKey } from '../model/state-keys.ts';
import { findTopics, type TopicRecord, viewTopics } from '../model/topic-records.ts';
import { GENERAL_TOPIC_ID } from '../model/topics.ts';

type Params = MethodParams<'messages.getForumTopics'>;

// How many topics are searched by title.
const SEARCHED_MAX = 1_000;

/** The topics of a forum, latest first, with the newest message of each; `q` picks those with it in their title. */
export const getForumTopics = defineMethod('messages.getForumTopics', async (params, call) => {
  const peer = await resolveForum(call, params.peer);
  const { ids, count } = await (params.q
    ? searchTopics(call, peer, params.q)
    : listTopics(call, peer, params));
  const found = await findTopics(call, peer, ids);
  const topics = found.flatMap((topic, i) => (topic ? [{ id: ids[i] as number, topic }] : []));
  const [shown, pts] = await Promise.all([
    viewTopics(call, peer, topics),
    readPts(call, channelBox(peer.id)),
  ]);
  const topIds = shown.map(({ topMessage }) => topMessage).filter((id) => id > 0);
  const messages = (await viewMessages(call, peer, topIds)).filter((message) => message !== null);
  const list = await toMessageList(call, messages);
  return { ...list, _: 'messages.forumTopics', count, topics: shown, pts };
});

async function listTopics(
  call: CallContext,
  { id, key }: ChannelPeer,
  params: Params,
): Promise<{ ids: number[]; count: number }> {
  const after: Thread | null = params.offsetTopic > 0 ? `t${params.offsetTopic}` : null;
  const name = threadsKey(channelBox(id), key);
  const [page, general] = await Promise.all([
    readDatedPage<Thread>(call, name, { ...params, after }),
    call.tx.read.zscore(call.tx.key(name), `t${GENERAL_TOPIC_ID}`),
  ]);
  const ids = page.members.map((thread) => Number(thread.slice(1)));
  if (general !== null) return { ids, count: page.total };
  // Where nobody has written to it yet, the general topic comes last.
  const isLast = ids.length < params.limit && params.offsetTopic !== GENERAL_TOPIC_ID;
  return { ids: isLast ? [...ids, GENERAL_TOPIC_ID] : ids, count: page.total + 1 };
}

async function searchTopics(
  call: CallContext,
  { id }: ChannelPeer,
  q: string,
): Promise<{ ids: number[]; count: number }> {
  const all = await call.tx.read.hgetall(call.tx.key(topicsKey(id)));
  const entries = Object.entries(all).slice(0, SEARCHED_MAX);
  const titles = entries.map(
    ([topicId, raw]) => [Number(topicId), (JSON.parse(raw) as TopicRecord).title] as const,
  );
  const wanted = q.toLowerCase();
  const ids = [...titles, [GENERAL_TOPIC_ID, 'General'] as const]
    .filter(([, title]) => title.toLowerCase().includes(wanted))
    .map(([topicId]) => topicId);
  return { ids: ids.sort((a, b) => b - a), count: ids.length };
}
