import type { MethodResult, Update } from '../../../../src/tl/tl-json.ts';
import type { CallContext } from '../../../driver.ts';
import { peersOf } from '../boxes/named-peers.ts';
import { listMentioned } from '../peers/mentioned.ts';
import type { Peer } from '../peers/peer.ts';
import { toTlPeer } from '../peers/tl-peer.ts';
import type { ViewedPoll } from './polls.ts';

interface ShownPoll {
  msgId: number;
  pollId: string;
  poll?: ViewedPoll['poll'];
  results: ViewedPoll['results'];
}

/** The result of a method that shows a poll's results to the calling account; without `poll` if the account knows that already. */
export async function toPollUpdates(
  call: CallContext,
  peer: Peer,
  shown: ShownPoll,
): Promise<MethodResult<'messages.getPollResults'>> {
  const update: Update = { _: 'updateMessagePoll', peer: toTlPeer(peer), ...shown };
  return {
    _: 'updates',
    updates: [update],
    ...(await listMentioned(call, peersOf(update))),
    date: call.date,
    seq: 0,
  };
}
