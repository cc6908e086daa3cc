import type { tl } from '@mtcute/core';
import { stateKey } from '../../../../src/redis/keys.ts';
import type { TlJson } from '../../../../src/tl/tl-json.ts';
import type { TlMessage } from '../../../../workers/sandbox/model/boxes/messages.ts';
import { dialogsKey, pinnedKey, sentKey } from '../../../../workers/sandbox/model/conversations/keys.ts';
import type { Differences } from './differences.ts';
import type { Replica } from './replica.ts';
import type { Place, World } from './world.ts';

export type Dialog = TlJson<tl.RawDialog>;

/** Holds a dialog against its history, newest first, and what the updates told of it. */
export function compareDialog(
  replica: Replica,
  { key, kind }: Place,
  { dialog, history }: { dialog: Dialog; history: readonly TlMessage[] },
  differences: Differences,
): void {
  const hold = (name: keyof Dialog, expected: number, by = 'the updates') =>
    differences.hold(`${name}, by ${by}`, dialog[name], expected);
  hold('topMessage', history[0]?.id ?? 0, 'the history');
  hold('unreadCount', replica.unread.get(key) ?? 0);
  // Notes to oneself are neither sent nor received.
  const received = kind === 'self' ? [] : history.filter(({ out }) => !out);
  hold('unreadCount', received.filter(({ id }) => id > dialog.readInboxMaxId).length, 'the history');
  // Who joins a channel has read it up to then, without being told.
  const read = replica.read.get(key) ?? (key.startsWith('c') ? dialog.readInboxMaxId : 0);
  hold('readInboxMaxId', read);
  hold('readOutboxMaxId', replica.seen.get(key) ?? 0);
  hold('unreadMentionsCount', history.filter(mentionIn).length, 'the history');
  const draft = dialog.draft?._ === 'draftMessage' ? dialog.draft.message : '';
  differences.hold('draft', draft, replica.drafts.get(`${key}:`)?.message ?? '');
  if (key.startsWith('c')) hold('pts', replica.ptsOf(key) || (dialog.pts ?? 0));
}

/** Holds what is kept in Redis for a place against its history, newest first. */
export async function compareKept(
  { sandbox: { redis }, workspaceId }: World,
  replica: Replica,
  { key, kind }: Place,
  history: readonly TlMessage[],
  differences: Differences,
): Promise<void> {
  const { userId } = replica.account;
  const listIds = async (name: string) =>
    (await redis.zrange(stateKey(workspaceId, name), '0', '-1')).map(Number);
  const oldestFirst = history.toReversed();
  const idsOf = (messages: readonly TlMessage[]) => messages.map(({ id }) => id);
  const pinned = oldestFirst.filter((one) => one._ === 'message' && one.pinned);
  differences.hold('pinned messages', await listIds(pinnedKey(userId, key)), idsOf(pinned));
  const date = await redis.zscore(stateKey(workspaceId, dialogsKey(userId)), key);
  if (history[0]) differences.hold('date of the dialog', Number(date), history[0].date);
  if (kind === 'self') return;
  // Who leaves a channel and returns has sent nothing there.
  const sent = oldestFirst.filter(
    ({ out, id }) => out && (!key.startsWith('c') || replica.messagesOf(key).has(id)),
  );
  differences.hold('sent messages', await listIds(sentKey(userId, key)), idsOf(sent));
}

export function mentionIn({ mentioned, mediaUnread }: TlMessage): boolean {
  return mentioned === true && mediaUnread === true;
}
