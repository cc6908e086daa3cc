import type { ControlOrder } from '../driver.ts';
import { furnishChannels, furnishGroup } from './furnish/chats.ts';
import type { Furnishing } from './furnish/furnishing.ts';
import { furnishOwnChat } from './furnish/own-chat.ts';
import { furnishPayments } from './furnish/payments.ts';
import { aUser, furnishUsers } from './furnish/users.ts';
import { ACCOUNTS, USERS } from './model/state-keys.ts';
import { takeIds } from './model/take-ids.ts';
import type { UserRecord } from './model/users.ts';

/**
 * Makes an account a user of its workspace's messenger and furnishes it, so that every method has something to act on. An
 * account that is connected already stays as it is.
 */
export const connectAccount: ControlOrder = async (payload, call) => {
  const { name, bot } = payload as { name: string; bot: boolean };
  const known = await call.tx.observe(ACCOUNTS, call.account.id);
  if (known !== null) {
    const raw = await call.tx.read.hget(call.tx.key(USERS), known);
    return toConnected(JSON.parse(raw ?? '{}') as UserRecord);
  }
  const furnishing = await plan(call, name, bot);
  furnishUsers(furnishing);
  furnishOwnChat(furnishing);
  furnishGroup(furnishing);
  furnishChannels(furnishing);
  furnishPayments(furnishing);
  return toConnected(furnishing.self);
};

async function plan(call: Furnishing['call'], name: string, bot: boolean): Promise<Furnishing> {
  const [users, chats, channels] = await Promise.all([
    takeIds(call, 'user', 4),
    takeIds(call, 'chat', 1),
    takeIds(call, 'channel', 4),
  ]);
  const [userId, contactId, friendId, botId] = users as [number, number, number, number];
  const [chatId] = chats as [number];
  const [channelId, publicChannelId, forumId, monoforumId] = channels as [number, number, number, number];
  const self = aUser(userId, call.account.id, name, bot);
  const ids = {
    contactId,
    friendId,
    botId,
    chatId,
    channelId,
    publicChannelId,
    forumId,
    monoforumId,
  };
  return { call, self, ids };
}

function toConnected({ id, username, phone }: UserRecord) {
  return { userId: id, username, phone };
}
