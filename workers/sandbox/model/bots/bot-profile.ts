import type { tl } from '@mtcute/core';
import type { TlJson } from '../../../../src/tl/tl-json.ts';
import { type CallContext, MessengerError } from '../../../driver.ts';
import { type AdminRights, listSet, onlySet } from '../chats/rights.ts';
import { resolveUser } from '../peers/resolve-peer.ts';
import { readCommandsInChats } from './bot-commands.ts';
import { botProfileKey } from './keys.ts';

/** A bot's name and texts for users of a language; empty texts are not stored. */
export interface BotTexts {
  name?: string;
  about?: string;
  description?: string;
}

export type MenuButton = TlJson<tl.TypeBotMenuButton>;

/** The rights that a bot suggests for itself as an administrator. */
export type RightsField = 'group-rights' | 'channel-rights';

type Field = `texts:${string}` | `menu:${number | ''}` | RightsField;

/** Reads a field of a bot's profile. */
export async function readProfile<Value>(
  { tx }: CallContext,
  botId: number,
  field: Field,
): Promise<Value | null> {
  const raw = await tx.read.hget(tx.key(botProfileKey(botId)), field);
  return raw === null ? null : (JSON.parse(raw) as Value);
}

/** Replaces a field of the calling bot's profile; null removes it. */
export function putProfile({ tx, account }: CallContext, field: Field, value: object | null): void {
  if (value === null) tx.hdel(botProfileKey(account.userId), field);
  else tx.hset(botProfileKey(account.userId), field, value);
}

/** Throws `USER_BOT_REQUIRED` if the calling account is not a bot. */
export function requireBot({ account }: CallContext): void {
  if (!account.bot) throw new MessengerError('USER_BOT_REQUIRED');
}

/** What the calling account is shown of a bot. */
export async function viewBotInfo(call: CallContext, botId: number): Promise<TlJson<tl.RawBotInfo>> {
  const [commands, texts, own, forEverybody] = await Promise.all([
    readCommandsInChats(call, botId),
    readProfile<BotTexts>(call, botId, 'texts:'),
    readProfile<MenuButton>(call, botId, `menu:${call.account.userId}`),
    readProfile<MenuButton>(call, botId, 'menu:'),
  ]);
  const menuButton = own ?? forEverybody;
  return {
    _: 'botInfo',
    userId: botId,
    ...(texts?.description ? { description: texts.description } : {}),
    ...(commands.length > 0 ? { commands } : {}),
    ...(menuButton ? { menuButton } : {}),
  };
}

/** The rights a bot suggests, as its full profile has them. */
export async function viewSuggestedRights(call: CallContext, botId: number) {
  const [inGroups, inChannels] = await Promise.all([
    readProfile<AdminRights>(call, botId, 'group-rights'),
    readProfile<AdminRights>(call, botId, 'channel-rights'),
  ]);
  return {
    ...(inGroups ? { botGroupAdminRights: inGroups } : {}),
    ...(inChannels ? { botBroadcastAdminRights: inChannels } : {}),
  };
}

/** Throws unless a bot calls about itself: `USER_BOT_INVALID` for users, who own no bots, `BOT_INVALID`. */
export async function requireOwnBot(
  call: CallContext,
  bot: Parameters<typeof resolveUser>[1] | undefined,
): Promise<void> {
  if (!call.account.bot) throw new MessengerError('USER_BOT_INVALID');
  if (bot && (await resolveUser(call, bot)).id !== call.account.userId)
    throw new MessengerError('BOT_INVALID');
}

/** The field of the menu button for a user. `inputUserEmpty` always means everybody else here, never a seeded user. */
export async function toMenuField(
  call: CallContext,
  input: Parameters<typeof resolveUser>[1],
): Promise<`menu:${number | ''}`> {
  return input._ === 'inputUserEmpty' ? 'menu:' : `menu:${(await resolveUser(call, input)).id}`;
}

/** Keeps the rights that the calling bot suggests. Errors: `USER_BOT_REQUIRED`, `RIGHTS_NOT_MODIFIED`. */
export async function suggestRights(
  call: CallContext,
  field: RightsField,
  given: AdminRights,
): Promise<void> {
  requireBot(call);
  const before = (await readProfile<AdminRights>(call, call.account.userId, field)) ?? {
    _: 'chatAdminRights' as const,
  };
  const rights = onlySet(given);
  if (listSet(rights).join() === listSet(before).join()) throw new MessengerError('RIGHTS_NOT_MODIFIED');
  putProfile(call, field, rights);
}
