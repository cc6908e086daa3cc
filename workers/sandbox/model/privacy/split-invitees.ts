import type { tl } from '@mtcute/core';
import type { TlJson } from '../../../../src/tl/tl-json.ts';
import type { CallContext } from '../../../driver.ts';
import { expectUnblocked, findBlocks } from '../people/blocks.ts';
import { getSelf, type UserRecord } from '../people/users.ts';
import { findAllowing } from './privacy.ts';

/**
 * Splits users by whether they let the calling account add them to groups: `willing` do. Those who do not, or have blocked the account,
 * are returned as TL's missing invitees. The commit fails if one of the willing has blocked the account by then.
 */
export async function splitInvitees(
  call: CallContext,
  users: readonly UserRecord[],
): Promise<{ willing: UserRecord[]; missingInvitees: TlJson<tl.RawMissingInvitee>[] }> {
  const self = await getSelf(call);
  const ids = users.map(({ id }) => id);
  const [blocks, allowing] = await Promise.all([
    Promise.all(ids.map((id) => findBlocks(call, id))),
    findAllowing(call, ids, 'privacyKeyChatInvite', self),
  ]);
  const isWilling = ({ id }: UserRecord, i: number) => blocks[i]?.theirs === false && allowing.has(id);
  const willing = users.filter(isWilling);
  for (const { id } of willing) expectUnblocked(call, id);
  return {
    willing,
    missingInvitees: users
      .filter((user, i) => !isWilling(user, i))
      .map(({ id }) => ({ _: 'missingInvitee', userId: id })),
  };
}
