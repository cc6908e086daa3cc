import type { CallContext } from '../../../driver.ts';
import type { PeerKey } from '../common/keys.ts';
import { findUsers, type UserRecord } from '../people/users.ts';
import { dialogsKey } from './keys.ts';

const LATEST = 100;

/** The other users among the account's latest 100 conversations, who are notified of its changes. */
export async function listAcquaintances(call: CallContext): Promise<UserRecord[]> {
  const { tx, account } = call;
  const keys = (await tx.read.zrevrange(tx.key(dialogsKey(account.userId)), 0, LATEST - 1)) as PeerKey[];
  const ids = keys.filter((key) => key.startsWith('u')).map((key) => Number(key.slice(1)));
  const found = await findUsers(
    call,
    ids.filter((id) => id !== account.userId),
  );
  return found.filter((user): user is UserRecord => user !== null && !user.deleted);
}
