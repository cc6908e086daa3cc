import { type CallContext, MessengerError } from '../../../driver.ts';
import { findChannels, findChats, findMember, listMemberIds } from '../chats/chats.ts';
import { toChatId } from '../peers/resolve-peer.ts';
import { type TlPeer, toTlPeer } from '../peers/tl-peer.ts';

/** A privacy rule; some name basic groups and supergroups by their ids. */
type Rule = object | { chats: number[] };

/**
 * The ids of basic groups and supergroups that a rule of the calling account names, each once; 1 is the seeded group. Error:
 * `CHAT_ID_INVALID` for one that the account is not in.
 */
export async function resolveRuleChats(call: CallContext, named: readonly number[]): Promise<number[]> {
  const ids = [...new Set(await Promise.all(named.map((id) => toChatId(call, id))))];
  const [own, channels] = await Promise.all([
    findChatsWith(call, ids, call.account.userId),
    findChannels(call, ids),
  ]);
  const isKnown = (id: number, i: number) =>
    own.has(id) && (channels[i]?.kind ?? 'megagroup') === 'megagroup';
  if (!ids.every(isKnown)) throw new MessengerError('CHAT_ID_INVALID');
  return ids;
}

/** Those of the chats that rules name in which a user is. */
export function findRuleChatsWith(
  call: CallContext,
  rules: readonly Rule[],
  userId: number,
): Promise<Set<number>> {
  return findChatsWith(call, chatsIn(rules), userId);
}

/** The members of each chat that rules name. */
export async function listRuleChatMembers(
  call: CallContext,
  rules: readonly Rule[],
): Promise<Map<number, Set<number>>> {
  const ids = chatsIn(rules);
  const chats = await findChats(call, ids);
  const members = await Promise.all(
    chats.map(
      (chat, i) => chat?.members.map(({ userId }) => userId) ?? listMemberIds(call, ids[i] as number),
    ),
  );
  return new Map(ids.map((id, i) => [id, new Set(members[i])]));
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

async function findChatsWith(
  call: CallContext,
  ids: readonly number[],
  userId: number,
): Promise<Set<number>> {
  const chats = await findChats(call, ids);
  const areIn = await Promise.all(
    chats.map(async (chat, i) =>
      chat
        ? chat.members.some((member) => member.userId === userId)
        : (await findMember(call, ids[i] as number, userId)) !== null,
    ),
  );
  return new Set(ids.filter((_, i) => areIn[i]));
}
