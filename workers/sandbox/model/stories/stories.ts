import type { tl } from '@mtcute/core';
import type { TlJson } from '../../../../src/tl/tl-json.ts';
import type { CallContext } from '../../../driver.ts';
import { type Box, SEQ } from '../common/keys.ts';
import { dialogsKey } from '../conversations/keys.ts';
import { findBlocked } from '../people/blocks.ts';
import { type ContactRecord, findContacts } from '../people/contacts.ts';
import { closeFriendsKey, contactsKey } from '../people/keys.ts';
import { findUsers, type UserRecord } from '../people/users.ts';
import { appliesInChats, findRuleChatsWith, listRuleChatMembers } from '../privacy/rule-chats.ts';
import { storiesKey } from './keys.ts';

export type StoryItem = TlJson<tl.RawStoryItem>;

/** A stored story: its content, and who may see it. */
export interface StoryRecord {
  item: StoryItem;
  privacy: StoryPrivacy;
}

/** The privacy rules of a story, as they are applied and shown to its owner. */
export interface StoryPrivacy {
  rules: TlJson<tl.TypePrivacyRule>[];
}

const CONTACTS_SCANNED = 200;
const DIALOGS_SCANNED = 200;
const MEMBERS_SCANNED = 200;

// What is stored of a user, of its being a contact, and of its being blocked.
const CANDIDATE_CHARACTERS = 500;

/** How many users are notified of a story. */
const AUDIENCE_MAX = 200;

/** The story of this id, or null. */
export async function findStory(call: CallContext, box: Box, id: number): Promise<StoryRecord | null> {
  const raw = await call.tx.read.hget(call.tx.key(storiesKey(box)), String(id));
  return raw === null ? null : (JSON.parse(raw) as StoryRecord);
}

/** The stories of a user or channel that have not expired, oldest first. */
export async function listStories(call: CallContext, box: Box): Promise<StoryRecord[]> {
  const found = await call.tx.read.hvals(call.tx.key(storiesKey(box)));
  const stories = found.map((raw) => JSON.parse(raw) as StoryRecord);
  // One that is pinned stays on the profile, but is active no longer.
  return stories.filter(({ item }) => item.expireDate > call.date).sort((a, b) => a.item.id - b.item.id);
}

/**
 * Takes the next story id of a user or channel. Unlike an id allocated in the commit, it is known at once; the commit fails if another
 * story came first.
 */
export async function takeStoryId(call: CallContext, box: Box): Promise<number> {
  const last = Number((await call.tx.observe(SEQ, `story:${box}`)) ?? 0);
  call.tx.hset(SEQ, `story:${box}`, String(last + 1));
  return last + 1;
}

/** The story as a TL object: its owner also sees who else may see it. */
export function viewStory({ item, privacy }: StoryRecord, isOwner: boolean): StoryItem {
  return isOwner ? { ...item, out: true, privacy: privacy.rules } : item;
}

/** Whether a user may see another user's story with these rules: nobody whom that user has blocked may. */
export async function maySeeStory(
  call: CallContext,
  ownerId: number,
  privacy: StoryPrivacy,
  viewerId: number,
): Promise<boolean> {
  const [[viewer], [contact = null], chats, blocked] = await Promise.all([
    findUsers(call, [viewerId]),
    findContacts(call, [viewerId], ownerId),
    findRuleChatsWith(call, privacy.rules, viewerId),
    findBlocked(call, ownerId, [viewerId]),
  ]);
  if (!viewer || blocked.has(viewerId)) return false;
  return allows(privacy, viewer, { ownerId, contact, isIn: (id) => chats.get(id) });
}

/**
 * The users who are notified of a story with these rules: of the close friends, 200 contacts, 200 dialogs, and the users and 200 members of
 * groups that the rules let see it, those who may see it.
 */
export async function listViewers(
  call: CallContext,
  ownerId: number,
  privacy: StoryPrivacy,
): Promise<UserRecord[]> {
  const { tx } = call;
  const [friends, [, entries], dialogs, chats] = await Promise.all([
    tx.read.smembers(tx.key(closeFriendsKey(ownerId))),
    tx.read.hscan(tx.key(contactsKey(ownerId)), 0, 'COUNT', CONTACTS_SCANNED),
    tx.read.zrevrange(tx.key(dialogsKey(ownerId)), 0, DIALOGS_SCANNED - 1),
    listRuleChatMembers(call, privacy.rules),
  ]);
  const known = entries.filter((_, i) => i % 2 === 0).slice(0, CONTACTS_SCANNED);
  const met = dialogs.filter((key) => key.startsWith('u')).map((key) => Number(key.slice(1)));
  const allowing = privacy.rules.filter(({ _ }) => _.startsWith('privacyValueAllow'));
  const named = allowing.flatMap((rule) => ('users' in rule ? rule.users : []));
  const all = new Set([...friends.map(Number), ...known.map(Number), ...met, ...named]);
  const allowedChats = allowing.flatMap((rule) => ('chats' in rule ? rule.chats : []));
  const members = new Set(allowedChats.flatMap((id) => [...(chats.get(id) ?? [])]));
  for (const id of [...members].filter((one) => !all.has(one)).slice(0, MEMBERS_SCANNED)) all.add(id);
  all.delete(ownerId);
  const ids = [...all];
  tx.charactersRead += ids.length * CANDIDATE_CHARACTERS;
  const [users, contacts, blocked] = await Promise.all([
    findUsers(call, ids),
    findContacts(call, ids, ownerId),
    findBlocked(call, ownerId, ids),
  ]);
  return users
    .filter((user, i): user is UserRecord => {
      if (user === null || user.deleted || blocked.has(user.id)) return false;
      const isIn = (id: number) => chats.get(id)?.has(user.id);
      return allows(privacy, user, { ownerId, contact: contacts[i] ?? null, isIn });
    })
    .slice(0, AUDIENCE_MAX);
}

interface StoryAudience {
  ownerId: number;
  /** The owner's record of the viewer. */
  contact: ContactRecord | null;
  /** Whether the viewer is in a chat that the rules name; undefined if that was not looked at. */
  isIn: (chatId: number) => boolean | undefined;
}

// Rules that name users take precedence over rules that name groups, then kinds of users, and last `All`.
function allows(
  { rules }: StoryPrivacy,
  viewer: UserRecord,
  { ownerId, contact, isIn }: StoryAudience,
): boolean {
  if (viewer.id === ownerId) return true;
  for (const matches of [
    (rule: Rule) => 'users' in rule && rule.users.includes(viewer.id),
    (rule: Rule) => 'chats' in rule && appliesInChats(rule, isIn),
    (rule: Rule) => viewer.bot && rule._.endsWith('Bots'),
    (rule: Rule) => contact?.closeFriend === true && rule._.endsWith('CloseFriends'),
    (rule: Rule) => contact !== null && rule._.endsWith('Contacts'),
    (rule: Rule) => rule._.endsWith('All'),
  ]) {
    const fitting = rules.filter(matches);
    if (fitting.some(({ _ }) => _.startsWith('privacyValueDisallow'))) return false;
    if (fitting.length > 0) return true;
  }
  return false;
}

type Rule = StoryPrivacy['rules'][number];
