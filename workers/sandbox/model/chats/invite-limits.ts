import { type CallContext, MessengerError } from '../../../driver.ts';
import type { InviteRecord } from './invites.ts';

const TITLE_MAX = 32;
const USAGE_MAX = 99_999;

/** The title and the limits of an invite link. Errors: `EXPIRE_DATE_INVALID`, `USAGE_LIMIT_INVALID`. */
export function readInviteLimits(
  call: CallContext,
  given: { title?: string; expireDate?: number; usageLimit?: number },
): Pick<InviteRecord, 'title' | 'expireDate' | 'usageLimit'> {
  const { expireDate = 0, usageLimit = 0 } = given;
  if (expireDate !== 0 && expireDate <= call.date) throw new MessengerError('EXPIRE_DATE_INVALID');
  if (usageLimit < 0 || usageLimit > USAGE_MAX) throw new MessengerError('USAGE_LIMIT_INVALID');
  const title = given.title?.trim().slice(0, TITLE_MAX).toWellFormed();
  return {
    ...(title ? { title } : {}),
    ...(expireDate === 0 ? {} : { expireDate }),
    ...(usageLimit === 0 ? {} : { usageLimit }),
  };
}
