import { defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { forumPoll } from '../../examples/seeded-things.ts';
import { getMessage } from '../../model/messages/get-message.ts';
import { pollOf } from '../../model/messages/show-polls.ts';
import { resolvePeer } from '../../model/peers/resolve-peer.ts';
import { toPollUpdates } from '../../model/polls/poll-updates.ts';
import { viewPolls } from '../../model/polls/polls.ts';

/** The results of a poll as the account may see them, with the poll itself unless `pollHash` shows that the client has it. */
export const getPollResults = defineMethod('messages.getPollResults', async (params, call) => {
  const { msgId, pollHash } = params;
  const peer = await resolvePeer(call, params.peer, { left: true });
  const { message } = await getMessage(call, peer, msgId);
  const { id: pollId = '' } = pollOf(message)?.poll ?? {};
  const viewed = (await viewPolls(call, [pollId])).get(pollId);
  if (!viewed) throw new MessengerError('MESSAGE_ID_INVALID');
  const { poll, results } = viewed;
  return toPollUpdates(call, peer, { msgId, pollId, ...(poll.hash === pollHash ? {} : { poll }), results });
});

export const example: Example<'messages.getPollResults'> = async (context) => {
  const poll = await forumPoll(context);
  return poll && { ...poll, pollHash: '0' };
};
