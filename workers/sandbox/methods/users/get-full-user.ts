import { defineMethod } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { inputUser } from '../../examples/input-peers.ts';
import { viewBotInfo, viewSuggestedRights } from '../../model/bots/bot-profile.ts';
import { viewFolder } from '../../model/conversations/archive.ts';
import { listCommonChats } from '../../model/conversations/common-chats.ts';
import { pinnedKey } from '../../model/conversations/keys.ts';
import { NOTIFY_SETTINGS } from '../../model/conversations/notify-settings.ts';
import { readTopIds } from '../../model/conversations/top-messages.ts';
import { findHiddenName } from '../../model/messages/origins.ts';
import { resolveUser } from '../../model/peers/resolve-peer.ts';
import { findBlocks } from '../../model/people/blocks.ts';
import { findContacts } from '../../model/people/contacts.ts';
import { toPeerSettings } from '../../model/people/peer-settings.ts';
import { getSelf, type UserRecord } from '../../model/people/users.ts';
import { viewUsers } from '../../model/people/view-users.ts';
import { viewHasScheduled } from '../../model/scheduled/scheduled-messages.ts';

/** Everything about a user; of a deleted one only what the account itself has noted. Errors: `USER_ID_INVALID`. */
export const getFullUser = defineMethod('users.getFullUser', async ({ id }, call) => {
  const user = await resolveUser(call, id);
  const isSelf = user.id === call.account.userId;
  const [users, blocks, [contact], common, [pinned], scheduled, folder] = await Promise.all([
    viewUsers(call, [user.id]),
    isSelf ? null : findBlocks(call, user.id),
    findContacts(call, [user.id]),
    isSelf ? [] : listCommonChats(call, user.id),
    readTopIds(call, [pinnedKey(call.account.userId, `u${user.id}`)]),
    viewHasScheduled(call, `u${user.id}`),
    viewFolder(call, `u${user.id}`),
  ]);
  const { about, birthday, bot }: Partial<UserRecord> = user.deleted ? {} : user;
  const hiddenName = isSelf || user.deleted ? null : await findHiddenName(call, user, await getSelf(call));
  const ofBot = bot
    ? { botInfo: await viewBotInfo(call, user.id), ...(await viewSuggestedRights(call, user.id)) }
    : {};
  return {
    _: 'users.userFull',
    fullUser: {
      _: 'userFull',
      id: user.id,
      ...(about ? { about } : {}),
      ...(blocks?.own ? { blocked: true } : {}),
      canPinMessage: true,
      ...scheduled,
      ...folder,
      ...(birthday ? { birthday } : {}),
      ...(contact?.note ? { note: contact.note } : {}),
      settings: toPeerSettings(call, user.id, contact ?? null),
      notifySettings: NOTIFY_SETTINGS,
      ...ofBot,
      ...(pinned ? { pinnedMsgId: pinned } : {}),
      commonChatsCount: common.length,
      ...(hiddenName === null ? {} : { privateForwardName: hiddenName }),
    },
    chats: [],
    users,
  };
});

export const example: Example<'users.getFullUser'> = async (context) => ({
  id: await inputUser(context, 'contactId'),
});
