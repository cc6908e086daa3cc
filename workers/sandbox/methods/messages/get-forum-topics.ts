import type { MethodParams } from '../../../../src/tl/tl-json.ts';
import { type CallContext, defineMethod } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { peerChannel } from '../../examples/input-peers.ts';
import { readDatedPage } from '../../model/common/dated-page.ts';
import { readLimit } from '../../model/common/history-window.ts';
import { channelBox, type Thread } from '../../model/common/keys.ts';
import { threadsKey } from '../../model/conversations/keys.ts';
import { findTopics } from '../../model/conversations/topic-records.ts';
import { GENERAL_TOPIC_ID } from '../../model/conversations/topics.ts';
import { showTopics } from '../../model/forums/show-topics.ts';
import type { ChannelPeer } from '../../model/peers/peer.ts';
import { resolveForum } from '../../model/peers/resolve-forum.ts';

type Params = MethodParams<'messages.getForumTopics'>;

// How many topics are searched by title: those with the latest messages.
const SEARCHED_MAX = 1_000;

/** The topics of a forum, latest first, with the newest message of each; with `q`, only topics with that text in their title. */
export const getForumTopics = defineMethod('messages.getForumTopics', async (params, call) => {
  const peer = await resolveForum(call, params.peer);
  const { ids, count } = await (params.q
    ? searchTopics(call, peer, params, params.q)
    : listTopics(call, peer, params));
  return showTopics(call, peer, ids, { count });
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
  // While the general topic has no messages, it comes last.
  const count = page.total + 1;
  if (params.offsetTopic === GENERAL_TOPIC_ID) return { ids: [], count };
  const isLast = ids.length < readLimit(params.limit);
  return { ids: isLast ? [...ids, GENERAL_TOPIC_ID] : ids, count };
}

async function searchTopics(
  call: CallContext,
  peer: ChannelPeer,
  params: Params,
  q: string,
): Promise<{ ids: number[]; count: number }> {
  const name = call.tx.key(threadsKey(channelBox(peer.id), peer.key));
  const threads = await call.tx.read.zrevrange(name, 0, SEARCHED_MAX - 1);
  const topicIds = new Set([...threads.map((thread) => Number(thread.slice(1))), GENERAL_TOPIC_ID]);
  const asked = [...topicIds].sort((a, b) => b - a);
  const topics = await findTopics(call, peer, asked);
  const wanted = q.toLowerCase();
  const ids = asked.filter((_, i) => topics[i]?.title.toLowerCase().includes(wanted));
  const left = ids.filter((id) => params.offsetTopic <= 0 || id < params.offsetTopic);
  return { ids: left.slice(0, readLimit(params.limit)), count: ids.length };
}

export const example: Example<'messages.getForumTopics'> = async (context) => ({
  peer: await peerChannel(context, 'forumId'),
  offsetDate: 0,
  offsetId: 0,
  offsetTopic: 0,
  limit: 20,
});

export const difference =
  'Searches the titles of the 1,000 latest topics; sorts pinned ones by date too. Unread reactions are not counted.';
