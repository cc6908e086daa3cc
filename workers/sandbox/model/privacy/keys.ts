/**
 * The keys of privacy rules. The letters are those of `common/keys.ts`.
 *
 *   privacy:U           hash: privacy key (`chatInvite`) -> its rules, where U has changed them
 */
export function privacyKey(userId: number): string {
  return `privacy:${userId}`;
}
