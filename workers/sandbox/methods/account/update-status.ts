import { defineMethod } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { listAcquaintances } from '../../model/conversations/acquaintances.ts';
import { changeSelf } from '../../model/people/change-self.ts';
import { ONLINE_S, statusOf } from '../../model/people/user-status.ts';
import { targetOf } from '../../model/people/users.ts';

/** Shows the account as online for five minutes, or as offline from now on, to users who have a private chat with it. */
export const updateStatus = defineMethod('account.updateStatus', async ({ offline }, call) => {
  const onlineUntil = offline ? call.date : call.date + ONLINE_S;
  const { before, self } = await changeSelf(call, (user) => ({ ...user, onlineUntil }));
  if (self === before) return true;
  const status = statusOf(self, call.date);
  for (const user of await listAcquaintances(call))
    call.tx.update(targetOf(user), { _: 'updateUserStatus', userId: self.id, status });
  return true;
});

export const example: Example<'account.updateStatus'> = () => ({ offline: false });

export const difference = 'Nothing else makes an account online. Everybody may see it.';
