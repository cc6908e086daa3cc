import type { Update } from '../../../../src/tl/tl-json.ts';
import type { CallContext } from '../../../driver.ts';
import { findUsers, targetOf } from '../people/users.ts';
import { listMemberIds } from './chats.ts';

/** Sends an update to every member of a channel. */
export async function notifyChannel(call: CallContext, channelId: number, update: Update): Promise<void> {
  const users = await findUsers(call, await listMemberIds(call, channelId));
  for (const user of users) if (user && !user.deleted) call.tx.update(targetOf(user), update);
}
