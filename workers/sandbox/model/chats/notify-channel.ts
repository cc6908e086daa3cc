import type { Update } from '../../../../src/tl/tl-json.ts';
import type { CallContext } from '../../../driver.ts';
import { findUsers, targetOf } from '../people/users.ts';
import { observeMemberIds } from './channel-members.ts';

// All have to fit one commit.
const NOTICES_MAX = 4_000;
// The commit of an async call has an event too.
const RESERVED = 10;

/** An update for the members of a channel. */
interface ChannelNotice {
  channelId: number;
  update: Update;
}

/** Sends an update to every member of a channel; the commit fails if one joins or leaves meanwhile. */
export async function notifyChannel(call: CallContext, channelId: number, update: Update): Promise<void> {
  await notifyChannels(call, [{ channelId, update }]);
}

/** Sends each update to every member of its channel, with more than 4,000 notices only the first. The commit fails as above. */
export async function notifyChannels(call: CallContext, notices: readonly ChannelNotice[]): Promise<void> {
  const channelIds = [...new Set(notices.map(({ channelId }) => channelId))];
  const listed = await Promise.all(channelIds.map((id) => observeMemberIds(call, id)));
  const members = new Map(channelIds.map((id, i) => [id, listed[i] ?? []]));
  const membersOf = ({ channelId }: ChannelNotice) => members.get(channelId) ?? [];
  const told = takeTold(call, notices, (notice) => membersOf(notice).length);
  const userIds = [...new Set(told.flatMap(membersOf))];
  const users = new Map((await findUsers(call, userIds)).map((user, i) => [userIds[i], user]));
  for (const notice of told) {
    const readers = membersOf(notice).map((id) => users.get(id));
    for (const user of readers) if (user && !user.deleted) call.tx.update(targetOf(user), notice.update);
  }
}

/** The first of these posts: those that a call may tell all readers about. */
export function takeTold<Post>(
  { tx }: CallContext,
  posts: readonly Post[],
  countReaders: (post: Post) => number,
): Post[] {
  let left = Math.min(NOTICES_MAX, tx.updatesLeft - RESERVED);
  return posts.filter((post) => {
    left -= countReaders(post);
    return left >= 0;
  });
}
