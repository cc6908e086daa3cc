import type { tl } from '@mtcute/core';
import type { TlJson } from '../../../../src/tl/tl-json.ts';
import { type CallContext, MessengerError } from '../../../driver.ts';
import { readingSlices } from '../../../turns/slices.ts';
import { firstDistinct } from '../common/first-distinct.ts';
import { resolveUser } from '../peers/resolve-peer.ts';
import { contactsKey } from '../people/keys.ts';
import type { UserRecord } from '../people/users.ts';
import { privacyKey } from './keys.ts';
import { toStoredName } from './privacy-names.ts';
import { appliesInChats, findRuleChatsWith, resolveRuleChats } from './rule-chats.ts';

export type PrivacyRule = TlJson<tl.TypePrivacyRule>;
type InputRule = TlJson<tl.TypeInputPrivacyRule>;
type PrivacyKeyName = TlJson<tl.TypePrivacyKey>['_'];

const RULES_MAX = 20;
const ITEMS_MAX = 100;
const EVERYBODY: readonly PrivacyRule[] = [{ _: 'privacyValueAllowAll' }];

/**
 * Converts a caller's rules to the form in which they are stored and shown. Errors: `PRIVACY_TOO_LONG`, `PRIVACY_VALUE_INVALID`,
 * `USER_ID_INVALID`, `CHAT_ID_INVALID`.
 */
export async function toPrivacyRules(call: CallContext, given: readonly InputRule[]): Promise<PrivacyRule[]> {
  if (given.length > RULES_MAX) throw new MessengerError('PRIVACY_TOO_LONG');
  // In all rules together: applying them reads the members of each group.
  const named = given.map((rule) => ('chats' in rule ? rule.chats : []));
  const isLong = named.some((chats) => chats.length > ITEMS_MAX);
  if (isLong || firstDistinct(named.flat(), ITEMS_MAX + 1).length > ITEMS_MAX)
    throw new MessengerError('PRIVACY_TOO_LONG');
  refuseContradictions(given);
  const chats = await resolveRuleChats(call, named.flat());
  const rules: PrivacyRule[] = [];
  // All rules may name thousands of users, so other calls run in between.
  for (const rule of given) {
    if (rules.length > 0) await readingSlices.next(call.workspaceId);
    rules.push(await toRule(call, rule, chats));
  }
  return rules;
}

/** Throws `PRIVACY_VALUE_INVALID` for rules of which one allows and another disallows the same: everybody, all contacts, or all bots. */
export function refuseContradictions(given: readonly InputRule[]): void {
  const kinds = new Set<string>(given.map(({ _ }) => _));
  // Rules that name users or groups may both allow some and disallow others.
  const allowed = [...kinds].filter(
    (kind) => kind.includes('ValueAllow') && !/(Users|Participants)$/.test(kind),
  );
  if (allowed.some((kind) => kinds.has(kind.replace('Allow', 'Disallow'))))
    throw new MessengerError('PRIVACY_VALUE_INVALID');
}

/** A user's rules for one of Telegram's privacy keys; everybody is allowed by default. */
export async function findPrivacyRules(
  call: CallContext,
  userId: number,
  key: PrivacyKeyName,
): Promise<readonly PrivacyRule[]> {
  const raw = await call.tx.observe(privacyKey(userId), key);
  call.tx.charactersRead += raw?.length ?? 0;
  return raw === null ? EVERYBODY : (JSON.parse(raw) as PrivacyRule[]);
}

/**
 * Those of these owners whose rules for a privacy key allow a user. Rules that name the user take precedence, then groups, kinds of users,
 * contacts, everybody. The commit fails if the user has become a contact of an owner by then, or has ceased to be one.
 */
export async function findAllowing(
  call: CallContext,
  ownerIds: readonly number[],
  key: PrivacyKeyName,
  user: Pick<UserRecord, 'id' | 'bot'>,
): Promise<Set<number>> {
  const rules = await Promise.all(ownerIds.map((ownerId) => findPrivacyRules(call, ownerId, key)));
  const [contacts, chats] = await Promise.all([
    Promise.all(ownerIds.map((ownerId) => call.tx.observe(contactsKey(ownerId), user.id))),
    // Of all owners at once: each group is read once.
    findRuleChatsWith(call, rules.flat(), user.id),
  ]);
  const isIn = (chatId: number) => chats.get(chatId);
  const isAllowed = (_: number, i: number) =>
    allows(rules[i] ?? [], { user, isIn, isContact: (contacts[i] ?? null) !== null });
  return new Set(ownerIds.filter(isAllowed));
}

function allows(rules: readonly PrivacyRule[], viewer: Viewer): boolean {
  const ranked = rules.map((rule) => rankRule(rule, viewer)).filter((verdict) => verdict !== null);
  const [strongest] = ranked.sort((a, b) => a.rank - b.rank);
  return strongest?.allow ?? false;
}

interface Verdict {
  allow: boolean;
  /** Lower ranks take precedence; of two rules with the same rank, the forbidding one does. */
  rank: number;
}

interface Viewer {
  user: Pick<UserRecord, 'id' | 'bot'>;
  isContact: boolean;
  /** Whether it is in a group; undefined if that was not looked at. */
  isIn: (chatId: number) => boolean | undefined;
}

function rankRule(rule: PrivacyRule, { user, isContact, isIn }: Viewer): Verdict | null {
  switch (rule._) {
    case 'privacyValueDisallowUsers':
      return rule.users.includes(user.id) ? { allow: false, rank: 0 } : null;
    case 'privacyValueAllowUsers':
      return rule.users.includes(user.id) ? { allow: true, rank: 1 } : null;
    case 'privacyValueDisallowChatParticipants':
      return appliesInChats(rule, isIn) ? { allow: false, rank: 2 } : null;
    case 'privacyValueAllowChatParticipants':
      return appliesInChats(rule, isIn) ? { allow: true, rank: 3 } : null;
    case 'privacyValueDisallowBots':
      return user.bot ? { allow: false, rank: 4 } : null;
    case 'privacyValueAllowBots':
      return user.bot ? { allow: true, rank: 5 } : null;
    case 'privacyValueDisallowContacts':
      return isContact ? { allow: false, rank: 6 } : null;
    case 'privacyValueAllowContacts':
      return isContact ? { allow: true, rank: 7 } : null;
    case 'privacyValueDisallowAll':
      return { allow: false, rank: 8 };
    case 'privacyValueAllowAll':
      return { allow: true, rank: 9 };
    default:
      return null;
  }
}

// `chats` has the ids of the groups that the rules name.
async function toRule(
  call: CallContext,
  rule: InputRule,
  chats: ReadonlyMap<number, number>,
): Promise<PrivacyRule> {
  switch (rule._) {
    case 'inputPrivacyValueAllowUsers':
      return { _: 'privacyValueAllowUsers', users: await toUserIds(call, rule.users) };
    case 'inputPrivacyValueDisallowUsers':
      return { _: 'privacyValueDisallowUsers', users: await toUserIds(call, rule.users) };
    case 'inputPrivacyValueAllowChatParticipants':
    case 'inputPrivacyValueDisallowChatParticipants': {
      const ids = new Set(rule.chats.map((id) => chats.get(id) as number));
      return { _: toStoredName(rule._), chats: [...ids] };
    }
    default:
      return { _: toStoredName(rule._) };
  }
}

async function toUserIds(call: CallContext, users: Parameters<typeof resolveUser>[1][]): Promise<number[]> {
  if (users.length > ITEMS_MAX) throw new MessengerError('PRIVACY_TOO_LONG');
  return (await Promise.all(users.map((user) => resolveUser(call, user)))).map(({ id }) => id);
}
