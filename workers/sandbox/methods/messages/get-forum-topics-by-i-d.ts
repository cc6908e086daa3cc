import { defineMethod } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { peerChannel } from '../../examples/input-peers.ts';
import { firstDistinct } from '../../model/common/first-distinct.ts';
import { showTopics } from '../../model/forums/show-topics.ts';
import { resolveForum } from '../../model/peers/resolve-forum.ts';

const IDS_MAX = 100;

/**
 * The topics of these ids, with the newest message of each; a `forumTopicDeleted` for each that does not exist. Error: `RESULTS_TOO_MUCH`
 * for more than 4 MiB.
 */
export const getForumTopicsById = defineMethod('messages.getForumTopicsByID', async (params, call) => {
  const peer = await resolveForum(call, params.peer);
  const ids = firstDistinct(params.topics, IDS_MAX);
  return showTopics(call, peer, ids, { count: ids.length, deleted: true });
});

export const example: Example<'messages.getForumTopicsByID'> = async (context) => ({
  peer: await peerChannel(context, 'forumId'),
  topics: [1],
});

export const difference = 'Only the first 100 count.';
