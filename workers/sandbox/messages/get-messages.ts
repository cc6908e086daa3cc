import { defineMethod } from '../../driver.ts';
import { toMessageList } from '../model/message-list.ts';
import { findMessages } from '../model/messages.ts';
import { userBox } from '../model/state-keys.ts';

const IDS_MAX = 100;

/** The messages of these ids in the account's box, in the order asked for; a `messageEmpty` for each that is not there. */
export const getMessages = defineMethod('messages.getMessages', async (params, call) => {
  const ids = params.id.slice(0, IDS_MAX).map((input) => ('id' in input ? input.id : 0));
  const found = await findMessages(call, userBox(call.account.userId), ids);
  return toMessageList(
    call,
    found.map((one, i) => one?.message ?? { _: 'messageEmpty' as const, id: ids[i] as number }),
  );
});
