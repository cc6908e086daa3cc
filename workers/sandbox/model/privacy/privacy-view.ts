import type { CallContext } from '../../../driver.ts';
import { listMentioned } from '../peers/mentioned.ts';
import { toTlPeer } from '../peers/tl-peer.ts';
import type { PrivacyRule } from './privacy.ts';

/** Privacy rules with the users and groups they name. */
export async function viewPrivacyRules(call: CallContext, rules: readonly PrivacyRule[]) {
  const users = rules.flatMap((rule) => ('users' in rule ? rule.users : []));
  const chats = rules.flatMap((rule) => ('chats' in rule ? rule.chats : []));
  const mentioned = await listMentioned(call, [
    ...users.map((id) => toTlPeer({ kind: 'user', id })),
    ...chats.map((id) => toTlPeer({ kind: 'chat', id })),
  ]);
  return { _: 'account.privacyRules' as const, rules: [...rules], ...mentioned };
}
