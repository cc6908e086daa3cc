import { defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { inputChannel } from '../../examples/input-peers.ts';
import { findMessages } from '../../model/boxes/messages.ts';
import { findMember } from '../../model/chats/chats.ts';
import { channelBox } from '../../model/common/keys.ts';
import { readGraphToken, toGraphToken } from '../../model/stats/graph-tokens.ts';
import { chartEmotions, chartViews } from '../../model/stats/post-graphs.ts';

/**
 * The graph of a token, with all counts up to now. Errors: `GRAPH_INVALID_RELOAD` for a token that is not the account's, or of a channel
 * that it does not administer, `GRAPH_EXPIRED_RELOAD` after a day, `GRAPH_OUTDATED_RELOAD` once the post is deleted.
 */
export const loadAsyncGraph = defineMethod('stats.loadAsyncGraph', async ({ token }, call) => {
  const { kind, channelId, msgId } = readGraphToken(token, { userId: call.account.userId, date: call.date });
  const [member, [found]] = await Promise.all([
    findMember(call, channelId, call.account.userId),
    findMessages(call, channelBox(channelId), [msgId]),
  ]);
  if (!member || member.role === 'member') throw new MessengerError('GRAPH_INVALID_RELOAD');
  if (!found) throw new MessengerError('GRAPH_OUTDATED_RELOAD');
  const chart = kind === 'views' ? chartViews : chartEmotions;
  const data = await chart(call, channelId, found.message);
  return { _: 'statsGraph', json: { _: 'dataJSON', data } };
});

export const example: Example<'stats.loadAsyncGraph'> = async (context) => ({
  token: toGraphToken({
    kind: 'views',
    channelId: (await inputChannel(context, 'channelId')).channelId,
    msgId: 1,
    userId: context.self.id,
    date: context.call.date,
  }),
});
