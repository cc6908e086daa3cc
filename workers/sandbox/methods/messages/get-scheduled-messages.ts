import { defineMethod } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { peerUser } from '../../examples/input-peers.ts';
import { pageBudget, refuseOverBudget } from '../../model/common/read-budget.ts';
import { toMessageList } from '../../model/messages/message-list.ts';
import { requirePostingRight } from '../../model/peers/require-write-access.ts';
import { resolvePeer } from '../../model/peers/resolve-peer.ts';
import { findScheduled, scheduledField } from '../../model/scheduled/scheduled-messages.ts';

const IDS_MAX = 100;

/**
 * The scheduled messages of these ids for a conversation, in the order of the ids; a `messageEmpty` for each that does not exist. Errors:
 * `CHAT_ADMIN_REQUIRED`.
 */
export const getScheduledMessages = defineMethod('messages.getScheduledMessages', async (params, call) => {
  const peer = await resolvePeer(call, params.peer);
  requirePostingRight(peer);
  const ids = params.id.slice(0, IDS_MAX);
  const budget = pageBudget();
  const found = await findScheduled(
    call,
    ids.map((id) => scheduledField(peer.key, id)),
    budget,
  );
  refuseOverBudget(budget);
  return toMessageList(
    call,
    found.map((one, i) => one?.message ?? { _: 'messageEmpty' as const, id: ids[i] as number }),
  );
});

export const example: Example<'messages.getScheduledMessages'> = async (context) => ({
  peer: await peerUser(context, 'contactId'),
  id: [1],
});

export const difference = 'Only the first 100 count.';
