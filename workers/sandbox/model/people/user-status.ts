import type { tl } from '@mtcute/core';
import type { TlJson } from '../../../../src/tl/tl-json.ts';
import type { UserRecord } from './users.ts';

/** How long an account counts as online after it has reported so. */
export const ONLINE_S = 300;

/** Whether a user is online at a date, or when it was last online. */
export function statusOf(
  { onlineUntil }: Pick<UserRecord, 'onlineUntil'>,
  date: number,
): TlJson<tl.TypeUserStatus> {
  if (onlineUntil === undefined) return { _: 'userStatusEmpty' };
  return onlineUntil > date
    ? { _: 'userStatusOnline', expires: onlineUntil }
    : { _: 'userStatusOffline', wasOnline: onlineUntil };
}
