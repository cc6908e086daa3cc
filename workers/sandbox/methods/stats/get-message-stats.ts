import { defineMethod } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { inputChannel } from '../../examples/input-peers.ts';
import { type GraphToken, toGraphToken } from '../../model/stats/graph-tokens.ts';
import { getOwnPost } from '../../model/stats/own-post.ts';

/** The graphs of a post's views and of the reactions to it, as tokens for `stats.loadAsyncGraph`. */
export const getMessageStats = defineMethod('stats.getMessageStats', async (params, call) => {
  const { channel, found } = await getOwnPost(call, params.channel, params.msgId);
  const graph = (kind: GraphToken['kind']) => {
    const { userId } = call.account;
    const token = { kind, channelId: channel.id, msgId: found.message.id, userId, date: call.date };
    return { _: 'statsGraphAsync', token: toGraphToken(token) } as const;
  };
  return {
    _: 'stats.messageStats',
    viewsGraph: graph('views'),
    reactionsByEmotionGraph: graph('emotions'),
  };
});

export const example: Example<'stats.getMessageStats'> = async (context) => ({
  channel: await inputChannel(context, 'channelId'),
  msgId: 1,
});

export const difference = 'Counts views and reactions by day, for a year.';
