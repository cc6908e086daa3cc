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

// The scopes that apply to private chats with the bot, the stronger first.
const IN_CHATS = ['users|', 'default|'];

/** Throws `LANG_CODE_INVALID` unless the language is two letters or empty. */
export function checkLanguage(language: string): void {
  if (!LANGUAGE.test(language)) throw new MessengerError('LANG_CODE_INVALID');
}

/**
 * The name under which a bot's commands of a scope and language are stored. Errors: `USER_BOT_REQUIRED`, `LANG_CODE_INVALID`,
 * `PEER_ID_INVALID`, `USER_ID_INVALID`.
 */
export async function toListName(call: CallContext, scope: Scope, language: string): Promise<string> {
  if (!call.account.bot) throw new MessengerError('USER_BOT_REQUIRED');
  checkLanguage(language);
  return `${await toScopeName(call, scope)}|${language}`;
}

/** The commands of the calling bot under a name. */
export async function readCommands({ tx, account }: CallContext, name: string): Promise<BotCommand[]> {
  const raw = await tx.read.hget(tx.key(botCommandsKey(account.userId)), name);
  return raw === null ? [] : (JSON.parse(raw) as BotCommand[]);
}

/** The commands that users find in their chat with a bot. */
export async function readCommandsInChats({ tx }: CallContext, botId: number): Promise<BotCommand[]> {
  const found = await tx.read.hmget(tx.key(botCommandsKey(botId)), ...IN_CHATS);
  const raw = found.find((one) => one !== null);
  return raw == null ? [] : (JSON.parse(raw) as BotCommand[]);
}

/**
 * Replaces the commands of the calling bot under a name (none: removes them), and notifies users who have a chat with it. Error:
 * `BOT_COMMAND_INVALID` beyond 200 names.
 */
export async function putCommands(
  call: CallContext,
  name: string,
  commands: readonly BotCommand[],
): Promise<void> {
  const { tx, account } = call;
  const list = botCommandsKey(account.userId);
  const [known, count] = await Promise.all([tx.read.hexists(tx.key(list), name), tx.read.hlen(tx.key(list))]);
  if (commands.length > 0 && known === 0 && count >= LISTS_MAX)
    throw new MessengerError('BOT_COMMAND_INVALID');
  if (commands.length > 0) tx.hset(list, name, commands);
  else if (known === 1) tx.hdel(list, name);
  else return;
  if (!IN_CHATS.includes(name)) return;
  for (const user of await listAcquaintances(call)) {
    tx.update(targetOf(user), {
      _: 'updateBotCommands',
      peer: { _: 'peerUser', userId: account.userId },
      botId: account.userId,
      commands: [...commands],
    });
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
