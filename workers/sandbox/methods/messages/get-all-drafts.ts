import { defineMethod } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { peersOf } from '../../model/boxes/named-peers.ts';
import { listDrafts } from '../../model/conversations/drafts.ts';
import { listMentioned } from '../../model/peers/mentioned.ts';

/** All drafts of the account, as one update each, the latest first. */
export const getAllDrafts = defineMethod('messages.getAllDrafts', async (_params, call) => {
  const updates = await listDrafts(call);
  return { _: 'updates', updates, ...(await listMentioned(call, peersOf(updates))), date: call.date, seq: 0 };
});

export const example: Example<'messages.getAllDrafts'> = () => ({});
