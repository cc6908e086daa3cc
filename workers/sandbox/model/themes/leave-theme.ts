import type { CallContext } from '../../../driver.ts';
import { someMembers } from '../common/scan-some.ts';
import { THEME_INSTALLS, THEME_SLUGS, THEME_TURNS, THEMES, themeUsersKey } from './keys.ts';
import type { FoundTheme } from './themes.ts';

/** Notes that a user has given up a theme, and removes the theme if nobody else has it. Returns whether somebody does. */
export async function leaveTheme(
  call: CallContext,
  { record: { id, slug } }: FoundTheme,
  userId: number,
): Promise<boolean> {
  const { tx } = call;
  const users = themeUsersKey(id);
  const turns = await tx.read.hget(tx.key(THEME_TURNS), id);
  const other = (await someMembers(call, users, 2)).find((one) => one !== String(userId));
  tx.srem(users, userId);
  if (other !== undefined) {
    // If the other user gives it up meanwhile, that call keeps the theme for this user: then this commit must fail.
    tx.expectMember(users, other, true);
    return true;
  }
  // If somebody takes the theme into their list meanwhile, this commit must fail.
  tx.expectField(THEME_TURNS, id, turns);
  tx.hdel(THEME_TURNS, id);
  // The slug of a seeded theme may already belong to a newer one: a user's seeded themes all have the same slug.
  const isOwner = (await tx.observe(THEME_SLUGS, slug.toLowerCase())) === id;
  if (isOwner) tx.hdel(THEME_SLUGS, slug.toLowerCase());
  tx.hdel(THEMES, id);
  tx.hdel(THEME_INSTALLS, id);
  tx.del(users, 's');
  return false;
}
