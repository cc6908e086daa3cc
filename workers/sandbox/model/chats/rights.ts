import type { tl } from '@mtcute/core';
import type { TlJson } from '../../../../src/tl/tl-json.ts';

export type AdminRights = TlJson<tl.RawChatAdminRights>;
export type BannedRights = TlJson<tl.RawChatBannedRights>;
export type AdminRight = Exclude<keyof AdminRights, '_'>;
export type BannedRight = Exclude<keyof BannedRights, '_' | 'untilDate'>;

/** What a user may not do in a channel, who banned it, and when. */
export interface Ban {
  rights: BannedRights;
  kickedBy: number;
  date: number;
}

/** What the creator of a channel may do. */
export const ALL_RIGHTS: AdminRights = {
  _: 'chatAdminRights',
  changeInfo: true,
  postMessages: true,
  editMessages: true,
  deleteMessages: true,
  banUsers: true,
  inviteUsers: true,
  pinMessages: true,
  addAdmins: true,
  manageCall: true,
  other: true,
  manageTopics: true,
  postStories: true,
  editStories: true,
  deleteStories: true,
  manageDirectMessages: true,
  manageRanks: true,
};

/** Whether a member is an administrator of a channel and may do this there. */
export function isAllowed(
  member: { role: 'creator' | 'admin' | 'member'; rights?: AdminRights } | null,
  right: AdminRight,
): boolean {
  if (member === null || member.role === 'member') return false;
  return member.role === 'creator' || member.rights?.[right] === true;
}

/** Whether a ban forbids this at the time. */
export function isForbidden(ban: Ban | null | undefined, right: BannedRight, date: number): boolean {
  return inForce(ban, date)?.rights[right] === true;
}

/** The ban if it holds at the time, otherwise null. */
export function inForce(ban: Ban | null | undefined, date: number): Ban | null {
  const until = ban?.rights.untilDate ?? 0;
  return ban && (until === 0 || until > date) ? ban : null;
}

/** The rights that are set, without other fields of the caller's input. */
export function onlySet<Rights extends AdminRights | BannedRights>(rights: Rights): Rights {
  return Object.fromEntries(Object.entries(rights).filter(([, value]) => value !== false)) as Rights;
}

/** The names of the rights that are set. */
export function listSet(rights: AdminRights): AdminRight[] {
  return (Object.keys(ALL_RIGHTS) as (keyof AdminRights)[])
    .concat('anonymous')
    .filter((name): name is AdminRight => name !== '_' && rights[name] === true);
}
