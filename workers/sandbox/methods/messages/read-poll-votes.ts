import { defineMethod } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { peerChannel } from '../../examples/input-peers.ts';
import { findMessages } from '../../model/boxes/messages.ts';
import { readPts } from '../../model/common/pts.ts';
import { countShown, pageBudget } from '../../model/common/read-budget.ts';
import { pollVotesKey } from '../../model/conversations/keys.ts';
import { threadOfTopic } from '../../model/conversations/topics.ts';
import { notifyOfContentsRead } from '../../model/messages/contents-read.ts';
import { pollOf } from '../../model/messages/show-polls.ts';
import { boxOf } from '../../model/peers/peer.ts';
import { resolvePeer } from '../../model/peers/resolve-peer.ts';
import { pollKey, TURN } from '../../model/polls/keys.ts';
import { findPoll } from '../../model/polls/polls.ts';

// Three writes and a check for each, within the limit of a commit; the answer's `offset` says whether there is more.
const POLLS_AT_ONCE = 100;

/**
 * Marks the votes in the account's polls of a conversation, or of a forum's topic, as seen: the newest 100 polls at once, or those in
 * 4 MiB; `offset` says how many are left. Error: `MSG_ID_INVALID` for a topic that does not exist.
 */
export const readPollVotes = defineMethod(
  'messages.readPollVotes',
  async ({ peer: input, topMsgId }, call) => {
    const { tx, account } = call;
    const peer = await resolvePeer(call, input, { left: true });
    const thread = await threadOfTopic(call, peer, topMsgId);
    const key = tx.key(pollVotesKey(account.userId, peer.key, thread));
    const [newest, total, pts] = await Promise.all([
      tx.read.zrevrange(key, 0, POLLS_AT_ONCE - 1),
      tx.read.zcard(key),
      readPts(call, boxOf(call, peer)),
    ]);
    if (newest.length === 0) return { _: 'messages.affectedHistory', pts, ptsCount: 0, offset: 0 };
    const budget = pageBudget();
    const found = await findMessages(call, boxOf(call, peer), newest, budget);
    const seen = newest.slice(0, countShown(found, budget));
    await Promise.all(
      seen.map(async (id, i) => {
        const message = found[i]?.message;
        const pollId = message && pollOf(message)?.poll.id;
        tx.zrem(pollVotesKey(account.userId, peer.key), id);
        if (pollId === undefined) return;
        const [record] = await Promise.all([
          findPoll(call, pollId),
          tx.observe(pollKey('tally', pollId), TURN),
        ]);
        const own = record?.origin?.thread;
        if (own) tx.zrem(pollVotesKey(account.userId, peer.key, own), id);
        tx.del(pollKey('new-votes', pollId), 's');
      }),
    );
    const ids = seen.map(Number);
    return {
      _: 'messages.affectedHistory',
      ...(await notifyOfContentsRead(call, peer, ids)),
      offset: total - seen.length,
    };
  },
);

export const example: Example<'messages.readPollVotes'> = async (context) => ({
  peer: await peerChannel(context, 'forumId'),
});

export const difference =
  'At most 100 polls, fewer if their messages are very long; `offset` says how many are left. The general topic has no votes in polls from before the supergroup became a forum.';
