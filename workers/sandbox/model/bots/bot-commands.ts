import type { tl } from '@mtcute/core';
import type { MethodParams, TlJson } from '../../../../src/tl/tl-json.ts';
import { type CallContext, MessengerError } from '../../../driver.ts';
import { listAcquaintances } from '../conversations/acquaintances.ts';
import { resolvePeer, resolveUser } from '../peers/resolve-peer.ts';
import { targetOf } from '../people/users.ts';
import { botCommandsKey } from './keys.ts';

export type BotCommand = TlJson<tl.RawBotCommand>;
type Scope = MethodParams<'bots.getBotCommands'>['scope'];

const LANGUAGE = /^([a-z]{2})?$/;
const LISTS_MAX = 200;

// The lists that apply to private chats with the bot, whatever the user's language. The first that exists hides the other.
const IN_CHATS = ['users|', 'default|'];

/** Throws `LANG_CODE_INVALID` unless the language is two letters or empty. */
export function checkLanguage(language: string): void {
  if (!LANGUAGE.test(language)) throw new MessengerError('LANG_CODE_INVALID');
}

/**
 * The field under which a bot's list of commands for a scope and language is stored. Errors: `USER_BOT_REQUIRED`, `LANG_CODE_INVALID`,
 * `PEER_ID_INVALID`, `USER_ID_INVALID`.
 */
export async function toListField(call: CallContext, scope: Scope, language: string): Promise<string> {
  if (!call.account.bot) throw new MessengerError('USER_BOT_REQUIRED');
  checkLanguage(language);
  return `${await toScopeName(call, scope)}|${language}`;
}

/** The commands in a list of the calling bot. */
export async function readCommands({ tx, account }: CallContext, field: string): Promise<BotCommand[]> {
  const list = await tx.read.hget(tx.key(botCommandsKey(account.userId)), field);
  return list === null ? [] : (JSON.parse(list) as BotCommand[]);
}

/** The commands that users find in their chat with a bot. */
export async function readCommandsInChats({ tx }: CallContext, botId: number): Promise<BotCommand[]> {
  const found = await tx.read.hmget(tx.key(botCommandsKey(botId)), ...IN_CHATS);
  return JSON.parse(firstOf(found)) as BotCommand[];
}

/**
 * Replaces a list of commands of the calling bot (none: removes it). If users find other commands in their chats with it then, they are
 * notified. Error: `BOT_COMMAND_INVALID` beyond 200 lists.
 */
export async function putCommands(
  call: CallContext,
  field: string,
  commands: readonly BotCommand[],
): Promise<void> {
  const { tx, account } = call;
  const hash = botCommandsKey(account.userId);
  const key = tx.key(hash);
  const fields = [field, ...IN_CHATS];
  const [found, count] = await Promise.all([tx.read.hmget(key, ...fields), tx.read.hlen(key)]);
  // What users find depends on all of them, and so does what they are told.
  for (const [i, one] of fields.entries()) tx.expectField(hash, one, found[i] ?? null);
  const [known, ...inChats] = found;
  if (commands.length > 0 && known === null && count >= LISTS_MAX)
    throw new MessengerError('BOT_COMMAND_INVALID');
  const list = commands.length > 0 ? JSON.stringify(commands) : null;
  if (list !== null) tx.hset(hash, field, list);
  else if (known !== null) tx.hdel(hash, field);
  const shown = firstOf(inChats.map((one, i) => (IN_CHATS[i] === field ? list : one)));
  if (shown !== firstOf(inChats)) await notifyOfCommands(call, JSON.parse(shown) as BotCommand[]);
}

function firstOf(lists: readonly (string | null)[]): string {
  return lists.find((list) => list !== null) ?? '[]';
}

async function notifyOfCommands(call: CallContext, list: BotCommand[]): Promise<void> {
  const commands = call.tx.share(list);
  const botId = call.account.userId;
  const peer = { _: 'peerUser', userId: botId } as const;
  for (const user of await listAcquaintances(call)) {
    call.tx.update(targetOf(user), { _: 'updateBotCommands', peer, botId, commands });
  }
}

async function toScopeName(call: CallContext, scope: Scope): Promise<string> {
  switch (scope._) {
    case 'botCommandScopePeer':
    case 'botCommandScopePeerAdmins':
      return `${scope._}:${(await resolvePeer(call, scope.peer)).key}`;
    case 'botCommandScopePeerUser': {
      const [peer, user] = await Promise.all([
        resolvePeer(call, scope.peer),
        resolveUser(call, scope.userId),
      ]);
      return `${scope._}:${peer.key}:${user.id}`;
    }
    case 'botCommandScopeUsers':
      return 'users';
    case 'botCommandScopeDefault':
      return 'default';
    default:
      return scope._;
  }
}
