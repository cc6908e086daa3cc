import { seededQueryId } from '../model/bots/callbacks.ts';
import { callbackKey } from '../model/bots/keys.ts';
import type { Seeding } from './seeding.ts';

/** A pressed button of the account, if it is a bot. Unlike other queries, this one waits until it is answered. */
export function seedQuery({ call, self, ids }: Seeding): void {
  if (self.bot) call.tx.hset(callbackKey(self.id, seededQueryId(self.id)), 'asked', String(ids.contactId));
}
