import { type CallContext, defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { type FoundMessage, findMessages } from '../../model/boxes/messages.ts';
import { type ChatRecord, findChats } from '../../model/chats/chats.ts';
import { firstDistinct } from '../../model/common/first-distinct.ts';
import { userBox } from '../../model/common/keys.ts';
import { readPts } from '../../model/common/pts.ts';
import { pageBudget, refuseOverBudget } from '../../model/common/read-budget.ts';
import { deleteCopies } from '../../model/dialogs/delete-copies.ts';
import { isMemberOf } from '../../model/peers/resolve-peer.ts';

const IDS_MAX = 100;

/**
 * Deletes messages of private chats and basic groups, as many as fit one commit: for the account alone, or with `revoke` for everybody.
 * Unknown ids are ignored. Errors: `MESSAGE_DELETE_FORBIDDEN` for revoking others' messages in a group that the account did not create, and
 * any in a group that it has left; `RESULTS_TOO_MUCH` for more than 4 MiB.
 */
export const deleteMessages = defineMethod('messages.deleteMessages', async ({ id: asked, revoke }, call) => {
  const own = userBox(call.account.userId);
  const ids = firstDistinct(asked, IDS_MAX);
  const budget = pageBudget();
  const found = (await findMessages(call, own, ids, budget)).filter((one) => one !== null);
  refuseOverBudget(budget);
  const revoking = revoke ? { groups: await findRevocable(call, found) } : null;
  const deleted = await deleteCopies(call, found, revoking);
  return {
    _: 'messages.affectedMessages',
    pts: deleted?.pts ?? (await readPts(call, own)),
    ptsCount: deleted?.ids.length ?? 0,
  };
});

// The groups of the messages. Only a member may delete what others have.
async function findRevocable(call: CallContext, found: FoundMessage[]): Promise<ChatRecord[]> {
  const self = call.account.userId;
  const inGroups = found.flatMap(({ message: { out = false, peerId } }) =>
    peerId._ === 'peerChat' ? { out, chatId: peerId.chatId } : [],
  );
  const chatIds = [...new Set(inGroups.map(({ chatId }) => chatId))];
  const chats = await findChats(call, chatIds);
  const mayDelete = inGroups.every(({ out, chatId }) => {
    const chat = chats[chatIds.indexOf(chatId)];
    return chat?.creatorId === self || (out && chat && isMemberOf(chat, self));
  });
  if (!mayDelete) throw new MessengerError('MESSAGE_DELETE_FORBIDDEN');
  return chats.filter((chat) => chat !== null);
}

export const example: Example<'messages.deleteMessages'> = () => ({ id: [2] });

export const difference = 'At most 100 messages, and 4 MiB (`RESULTS_TOO_MUCH`).';
