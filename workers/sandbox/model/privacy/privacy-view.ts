import type { CallContext } from '../../../driver.ts';
import { listMentioned } from '../peers/mentioned.ts';
import { toTlPeer } from '../peers/tl-peer.ts';
import type { PrivacyRule } from './privacy.ts';
import { toRulePeers } from './rule-chats.ts';

/** Privacy rules with the users, groups and supergroups they name. */
export async function viewPrivacyRules(call: CallContext, rules: readonly PrivacyRule[]) {
  const users = rules.flatMap((rule) => ('users' in rule ? rule.users : []));
  const mentioned = await listMentioned(call, [
    ...users.map((id) => toTlPeer({ kind: 'user', id })),
    ...(await toRulePeers(call, rules)),
  ]);
  return { _: 'account.privacyRules' as const, rules: [...rules], ...mentioned };
}
