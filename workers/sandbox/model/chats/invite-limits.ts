import { type CallContext, MessengerError } from '../../../driver.ts';
import { cutText } from '../common/cut-text.ts';
import type { InviteRecord } from './invites.ts';

const TITLE_MAX = 32;
const USAGE_MAX = 99_999;

type Limits = Pick<InviteRecord, 'title' | 'expireDate' | 'usageLimit'>;

/** The title and the limits of an invite link; empty ones are none. Errors: `EXPIRE_DATE_INVALID`, `USAGE_LIMIT_INVALID`. */
export function readInviteLimits(call: CallContext, given: Limits): Limits {
  const { expireDate = 0, usageLimit = 0 } = given;
  if (expireDate !== 0 && expireDate <= call.date) throw new MessengerError('EXPIRE_DATE_INVALID');
  if (usageLimit < 0 || usageLimit > USAGE_MAX) throw new MessengerError('USAGE_LIMIT_INVALID');
  const title = given.title === undefined ? '' : cutText(given.title, TITLE_MAX);
  return {
    ...(title ? { title } : {}),
    ...(expireDate === 0 ? {} : { expireDate }),
    ...(usageLimit === 0 ? {} : { usageLimit }),
  };
}

/** An invite link with what is given changed; what is given as empty or 0 is removed. Errors: those of `readInviteLimits`. */
export function changeInviteLimits(call: CallContext, invite: InviteRecord, given: Limits): InviteRecord {
  const limits = readInviteLimits(call, given);
  const { title, expireDate, usageLimit, ...others } = invite;
  return {
    ...others,
    ...(title === undefined || given.title !== undefined ? {} : { title }),
    ...(expireDate === undefined || given.expireDate !== undefined ? {} : { expireDate }),
    ...(usageLimit === undefined || given.usageLimit !== undefined ? {} : { usageLimit }),
    ...limits,
  };
}
