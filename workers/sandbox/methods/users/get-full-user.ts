import { type CallContext, defineMethod } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { inputUser } from '../../examples/input-peers.ts';
import { readCommandsInChats } from '../../model/bots/bot-commands.ts';
import type { ChatRecord } from '../../model/chats/chats.ts';
import { findChats } from '../../model/chats/chats.ts';
import { joinedKey } from '../../model/chats/keys.ts';
import { dialogsKey, pinnedKey } from '../../model/conversations/keys.ts';
import { NOTIFY_SETTINGS } from '../../model/conversations/notify-settings.ts';
import { readTopIds } from '../../model/conversations/top-messages.ts';
import { resolveUser } from '../../model/peers/resolve-peer.ts';
import { findBlocks } from '../../model/people/blocks.ts';
import { findContacts } from '../../model/people/contacts.ts';
import { viewUsers } from '../../model/people/view-users.ts';

const GROUPS_MAX = 100;

/** Everything about a user. Errors: `USER_ID_INVALID`. */
export const getFullUser = defineMethod('users.getFullUser', async ({ id }, call) => {
  const user = await resolveUser(call, id);
  const isSelf = user.id === call.account.userId;
  const [users, blocks, [contact], common, [pinned]] = await Promise.all([
    viewUsers(call, [user.id]),
    isSelf ? null : findBlocks(call, user.id),
    findContacts(call, [user.id]),
    isSelf ? 0 : countCommonChats(call, user.id),
    readTopIds(call, [pinnedKey(call.account.userId, `u${user.id}`)]),
  ]);
  return {
    _: 'users.userFull',
    fullUser: {
      _: 'userFull',
      id: user.id,
      ...(user.about ? { about: user.about } : {}),
      ...(blocks?.own ? { blocked: true } : {}),
      canPinMessage: true,
      settings: {
        _: 'peerSettings',
        ...(isSelf || contact ? {} : { addContact: true, blockContact: true }),
      },
      notifySettings: NOTIFY_SETTINGS,
      ...(user.bot ? { botInfo: await toBotInfo(call, user.id) } : {}),
      ...(pinned ? { pinnedMsgId: pinned } : {}),
      commonChatsCount: common,
    },
    chats: [],
    users,
  };
});

async function toBotInfo(call: CallContext, userId: number) {
  const commands = await readCommandsInChats(call, userId);
  return { _: 'botInfo' as const, userId, ...(commands.length > 0 ? { commands } : {}) };
}

async function countCommonChats(call: CallContext, userId: number): Promise<number> {
  const { tx, account } = call;
  const [dialogs, own, theirs] = await Promise.all([
    tx.read.zrevrange(tx.key(dialogsKey(account.userId)), 0, GROUPS_MAX),
    tx.read.smembers(tx.key(joinedKey(account.userId))),
    tx.read.smembers(tx.key(joinedKey(userId))),
  ]);
  const groupIds = dialogs.filter((key) => key.startsWith('g')).map((key) => Number(key.slice(1)));
  const groups = await findChats(call, groupIds);
  const isIn = ({ members }: ChatRecord, id: number) => members.some((member) => member.userId === id);
  const common = groups.filter((chat) => chat !== null && isIn(chat, userId) && isIn(chat, account.userId));
  const joined = new Set(theirs);
  return common.length + own.filter((channelId) => joined.has(channelId)).length;
}

export const example: Example<'users.getFullUser'> = async (exemplar) => ({
  id: await inputUser(exemplar, 'contactId'),
});
