import type { tl } from '@mtcute/core';
import type { TlJson } from '../../../../src/tl/tl-json.ts';
import type { CallContext } from '../../../driver.ts';
import { expectUnblocked, findBlocks } from '../people/blocks.ts';
import { getSelf, type UserRecord } from '../people/users.ts';
import { findPrivacyRules, isAllowedBy } from './privacy.ts';

/**
 * Splits users by whether they let the calling account add them to groups: `willing` do. Those who do not, or have blocked the account,
 * are returned as TL's missing invitees. The commit fails if one of the willing has blocked the account by then.
 */
export async function splitInvitees(
  call: CallContext,
  users: readonly UserRecord[],
): Promise<{ willing: UserRecord[]; missingInvitees: TlJson<tl.RawMissingInvitee>[] }> {
  const self = await getSelf(call);
  const allowed = await Promise.all(
    users.map(async (user) => {
      const [{ theirs: isBlocked }, rules] = await Promise.all([
        findBlocks(call, user.id),
        findPrivacyRules(call, user.id, 'privacyKeyChatInvite'),
      ]);
      return !isBlocked && isAllowedBy(call, rules, user.id, self);
    }),
  );
  const willing = users.filter((_, i) => allowed[i]);
  for (const { id } of willing) expectUnblocked(call, id);
  return {
    willing,
    missingInvitees: users
      .filter((_, i) => !allowed[i])
      .map(({ id }) => ({ _: 'missingInvitee', userId: id })),
  };
}
