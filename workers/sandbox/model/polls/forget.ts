import type { CallContext } from '../../../driver.ts';
import { POLLS, pollKey } from './keys.ts';

/** Removes a poll and its votes. */
export function forgetPoll({ tx }: CallContext, pollId: string): void {
  tx.hdel(POLLS, pollId);
  tx.del(pollKey('votes', pollId), 'h');
  tx.del(pollKey('tally', pollId), 'h');
  tx.del(pollKey('voters', pollId), 'z');
  tx.del(pollKey('new-votes', pollId), 's');
}
