import type { tl } from '@mtcute/core';
import type { TlJson } from '../../../../src/tl/tl-json.ts';
import { type CallContext, MessengerError } from '../../../driver.ts';
import { resolveUser } from '../peers/resolve-peer.ts';
import { refuseContradictions } from '../privacy/privacy.ts';
import { resolveRuleChats } from '../privacy/rule-chats.ts';
import type { StoryItem, StoryPrivacy } from './stories.ts';

type InputRule = TlJson<tl.TypeInputPrivacyRule>;

const RULES_MAX = 10;
const NAMED_MAX = 100;

/** The privacy rules a story is published under. Errors: `PRIVACY_VALUE_INVALID` for missing or contradicting rules, `PRIVACY_TOO_LONG`. */
export async function resolveRules(call: CallContext, inputs: readonly InputRule[]): Promise<StoryPrivacy> {
  if (inputs.length === 0 || inputs.length > RULES_MAX) throw new MessengerError('PRIVACY_VALUE_INVALID');
  const kinds = new Set(inputs.map(({ _ }) => _));
  if (kinds.size < inputs.length) throw new MessengerError('PRIVACY_VALUE_INVALID');
  refuseContradictions(inputs);
  return { rules: await Promise.all(inputs.map((input) => resolveRule(call, input))) };
}

/** The flags that tell viewers why they see a story. */
export function audienceFlags({ rules }: StoryPrivacy): Partial<StoryItem> {
  const has = (name: string) => rules.some(({ _ }) => _ === `privacyValueAllow${name}`);
  if (has('All')) return { public: true };
  if (has('Contacts')) return { contacts: true };
  if (has('CloseFriends')) return { closeFriends: true };
  return has('Users') || has('ChatParticipants') ? { selectedContacts: true } : {};
}

async function resolveRule(call: CallContext, input: InputRule): Promise<StoryPrivacy['rules'][number]> {
  if ('users' in input) {
    if (input.users.length > NAMED_MAX) throw new MessengerError('PRIVACY_TOO_LONG');
    const users = await Promise.all(input.users.map((user) => resolveUser(call, user)));
    const ids = [...new Set(users.map(({ id }) => id))];
    return input._ === 'inputPrivacyValueAllowUsers'
      ? { _: 'privacyValueAllowUsers', users: ids }
      : { _: 'privacyValueDisallowUsers', users: ids };
  }
  if ('chats' in input) {
    if (input.chats.length > NAMED_MAX) throw new MessengerError('PRIVACY_TOO_LONG');
    const chats = [...new Set((await resolveRuleChats(call, input.chats)).values())];
    return input._ === 'inputPrivacyValueAllowChatParticipants'
      ? { _: 'privacyValueAllowChatParticipants', chats }
      : { _: 'privacyValueDisallowChatParticipants', chats };
  }
  return { _: input._.replace('inputPrivacy', 'privacy') } as StoryPrivacy['rules'][number];
}
