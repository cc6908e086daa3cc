import { type CallContext, MessengerError } from '../../../driver.ts';
import { readingSlices } from '../../../turns/slices.ts';
import { type ChatRecord, findChannels, findChats, findMember, listMemberIds } from '../chats/chats.ts';
import { CHATS } from '../chats/keys.ts';
import type { ReadBudget } from '../common/read-budget.ts';
import { isMemberOf, toChatId } from '../peers/resolve-peer.ts';
import { type TlPeer, toTlPeer } from '../peers/tl-peer.ts';

/** A privacy rule; some name basic groups and supergroups by their ids. */
type Rule = object | { chats: number[] };

// A full basic group has some 5,000 characters.
const CHATS_MAX = 1_000;
const CHARACTERS_MAX = 1024 * 1024;

// How many chats are read at once. One user's rules name no more, so the first user's chats are always all looked at.
const AT_ONCE = 100;

// What a member's id counts for: the characters of a member of a basic group.
const MEMBER_CHARACTERS = 60;

/**
 * Resolves the chat ids in the calling account's rules: id as given -> id of the basic group or supergroup (1 stands for the seeded group).
 * Error: `CHAT_ID_INVALID` for one that the account is not in.
 */
export async function resolveRuleChats(
  call: CallContext,
  named: readonly number[],
): Promise<Map<number, number>> {
  const given = [...new Set(named)];
  const resolved = await Promise.all(given.map((id) => toChatId(call, id)));
  const ids = [...new Set(resolved)];
  const [own, channels] = await Promise.all([
    findChatsWith(call, ids, call.account.userId),
    findChannels(call, ids),
  ]);
  const isKnown = (id: number, i: number) =>
    own.get(id) === true && (channels[i]?.kind ?? 'megagroup') === 'megagroup';
  if (!ids.every(isKnown)) throw new MessengerError('CHAT_ID_INVALID');
  return new Map(given.map((id, i) => [id, resolved[i] as number]));
}

/**
 * Whether a user is in each chat that rules name. Chats beyond the first 1,000, or beyond 1 MiB of records, are not looked at and are left
 * out.
 */
export function findRuleChatsWith(
  call: CallContext,
  rules: readonly Rule[],
  userId: number,
): Promise<Map<number, boolean>> {
  return findChatsWith(call, chatsIn(rules), userId);
}

/** The members of each chat that rules name. Leaves out chats beyond the bounds of `findRuleChatsWith`; for these, member ids count too. */
export function listRuleChatMembers(
  call: CallContext,
  rules: readonly Rule[],
): Promise<Map<number, Set<number>>> {
  return lookAt(call, chatsIn(rules), async (id, chat, budget) => {
    if (chat) return new Set(chat.members.map(({ userId }) => userId));
    const ids = await listMemberIds(call, id);
    spend(call, budget, ids.length * MEMBER_CHARACTERS);
    return new Set(ids);
  });
}

/**
 * Whether a rule applies to a user because of the chats that the user is in. For a chat that was not looked at, a rule that forbids applies
 * and one that allows does not.
 */
export function appliesInChats(
  { _, chats }: { _: string; chats: readonly number[] },
  isIn: (chatId: number) => boolean | undefined,
): boolean {
  const otherwise = _.startsWith('privacyValueDisallow');
  return chats.some((id) => isIn(id) ?? otherwise);
}

/** The chats that rules name, as peers. */
export async function toRulePeers(call: CallContext, rules: readonly Rule[]): Promise<TlPeer[]> {
  const ids = chatsIn(rules);
  const chats = await findChats(call, ids);
  return ids.map((id, i) => toTlPeer({ kind: chats[i] ? 'chat' : 'channel', id }));
}

function chatsIn(rules: readonly Rule[]): number[] {
  return [...new Set(rules.flatMap((rule) => ('chats' in rule ? rule.chats : [])))];
}

function findChatsWith(
  call: CallContext,
  ids: readonly number[],
  userId: number,
): Promise<Map<number, boolean>> {
  return lookAt(call, ids, async (id, chat) =>
    chat ? isMemberOf(chat, userId) : (await findMember(call, id, userId)) !== null,
  );
}

// Looks at each chat. `chat` is the record of a basic group, and null for a supergroup.
async function lookAt<Found>(
  call: CallContext,
  ids: readonly number[],
  look: (id: number, chat: ChatRecord | null, budget: ReadBudget) => Promise<Found>,
): Promise<Map<number, Found>> {
  const seen = new Map<number, Found>();
  const budget: ReadBudget = { left: CHARACTERS_MAX };
  for (let at = 0; at < Math.min(ids.length, CHATS_MAX) && budget.left > 0; at += AT_ONCE) {
    const some = ids.slice(at, at + AT_ONCE);
    const chats = await readChats(call, some, budget);
    const found = await Promise.all(some.map((id, i) => look(id, chats[i] ?? null, budget)));
    for (const [i, id] of some.entries()) seen.set(id, found[i] as Found);
  }
  return seen;
}

async function readChats(
  call: CallContext,
  ids: readonly number[],
  budget: ReadBudget,
): Promise<(ChatRecord | null)[]> {
  const found = await call.tx.read.hmget(call.tx.key(CHATS), ...ids.map(String));
  const chats: (ChatRecord | null)[] = [];
  for (const raw of found) {
    if (raw !== null) {
      spend(call, budget, raw.length);
      await readingSlices.next(call.workspaceId);
    }
    chats.push(raw === null ? null : (JSON.parse(raw) as ChatRecord));
  }
  return chats;
}

function spend({ tx }: CallContext, budget: ReadBudget, characters: number): void {
  tx.charactersRead += characters;
  budget.left -= characters;
}
