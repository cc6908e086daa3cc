import type { tl } from '@mtcute/core';
import type { TlJson } from '../../../../src/tl/tl-json.ts';
import { type CallContext, MessengerError } from '../../../driver.ts';
import { resolveUser } from '../peers/resolve-peer.ts';
import { contactsKey } from '../people/keys.ts';
import type { UserRecord } from '../people/users.ts';
import { privacyKey } from './keys.ts';
import { toStoredName } from './privacy-names.ts';
import { findRuleChatsWith, resolveRuleChats } from './rule-chats.ts';

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
  // Applying the rules reads the members of each group.
  const chats = given.flatMap((rule) => ('chats' in rule ? rule.chats : []));
  if (new Set(chats).size > ITEMS_MAX) throw new MessengerError('PRIVACY_TOO_LONG');
  refuseContradictions(given);
  return Promise.all(given.map((rule) => toRule(call, rule)));
}

/** Throws `PRIVACY_VALUE_INVALID` for rules that allow and disallow all, all contacts, or all bots. */
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
  return raw === null ? EVERYBODY : (JSON.parse(raw) as PrivacyRule[]);
}

/**
 * Whether the rules of `ownerId` allow a user. Rules that name the user take precedence, then groups, kinds of users, contacts, everybody.
 * The commit fails if the user becomes a contact of the owner by then, or is one no longer.
 */
export async function isAllowedBy(
  call: CallContext,
  rules: readonly PrivacyRule[],
  ownerId: number,
  user: Pick<UserRecord, 'id' | 'bot'>,
): Promise<boolean> {
  const [contact, groups] = await Promise.all([
    call.tx.observe(contactsKey(ownerId), user.id),
    findRuleChatsWith(call, rules, user.id),
  ]);
  const inGroup = (chats: readonly number[]) => chats.some((id) => groups.has(id));
  const ranked = rules.map((rule) => rankRule(rule, { user, inGroup, isContact: contact !== null }));
  const [strongest] = ranked.filter((verdict) => verdict !== null).sort((a, b) => a.rank - b.rank);
  return strongest?.allow ?? false;
}

interface Verdict {
  allow: boolean;
  /** Lower ranks take precedence; of two rules with the same rank, the forbidding one does. */
  rank: number;
}

interface Viewed {
  user: Pick<UserRecord, 'id' | 'bot'>;
  isContact: boolean;
  inGroup: (chats: readonly number[]) => boolean;
}

function rankRule(rule: PrivacyRule, { user, isContact, inGroup }: Viewed): Verdict | null {
  switch (rule._) {
    case 'privacyValueDisallowUsers':
      return rule.users.includes(user.id) ? { allow: false, rank: 0 } : null;
    case 'privacyValueAllowUsers':
      return rule.users.includes(user.id) ? { allow: true, rank: 1 } : null;
    case 'privacyValueDisallowChatParticipants':
      return inGroup(rule.chats) ? { allow: false, rank: 2 } : null;
    case 'privacyValueAllowChatParticipants':
      return inGroup(rule.chats) ? { allow: true, rank: 3 } : null;
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

async function toRule(call: CallContext, rule: InputRule): Promise<PrivacyRule> {
  switch (rule._) {
    case 'inputPrivacyValueAllowUsers':
      return { _: 'privacyValueAllowUsers', users: await toUserIds(call, rule.users) };
    case 'inputPrivacyValueDisallowUsers':
      return { _: 'privacyValueDisallowUsers', users: await toUserIds(call, rule.users) };
    case 'inputPrivacyValueAllowChatParticipants':
    case 'inputPrivacyValueDisallowChatParticipants': {
      if (rule.chats.length > ITEMS_MAX) throw new MessengerError('PRIVACY_TOO_LONG');
      return { _: toStoredName(rule._), chats: await resolveRuleChats(call, rule.chats) };
    }
    default:
      return { _: toStoredName(rule._) };
  }
}

async function toUserIds(call: CallContext, users: Parameters<typeof resolveUser>[1][]): Promise<number[]> {
  if (users.length > ITEMS_MAX) throw new MessengerError('PRIVACY_TOO_LONG');
  return (await Promise.all(users.map((user) => resolveUser(call, user)))).map(({ id }) => id);
}
