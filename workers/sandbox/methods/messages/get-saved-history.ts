import { defineMethod } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { SELF } from '../../examples/input-peers.ts';
import { WHOLE_HISTORY } from '../../examples/windows.ts';
import { toOffsetId } from '../../model/boxes/date-offset.ts';
import { historyKey } from '../../model/boxes/keys.ts';
import { readWindow } from '../../model/common/history-window.ts';
import { hashOfIds } from '../../model/common/list-hash.ts';
import { pageBudget } from '../../model/common/read-budget.ts';
import { resolveParent, resolveSavedPeer } from '../../model/conversations/saved-threads.ts';
import { toMessageList } from '../../model/messages/message-list.ts';
import { viewMessages } from '../../model/messages/read-messages.ts';
import { boxOf } from '../../model/peers/peer.ts';

/**
 * The messages saved from a peer, newest first; with `parentPeer`, those of a monoforum's thread with a user. Errors: `PEER_ID_INVALID`,
 * `PARENT_PEER_INVALID` for a peer that is not a monoforum.
 */
export const getSavedHistory = defineMethod('messages.getSavedHistory', async (params, call) => {
  const parent = await resolveParent(call, params.parentPeer);
  const thread = await resolveSavedPeer(call, parent, params.peer);
  const name = historyKey(call.account.userId, parent.key, thread);
  const offsetId = await toOffsetId(call, name, boxOf(call, parent), params);
  const { ids, total } = await readWindow(call, name, { ...params, offsetId });
  if (params.hash !== '0' && params.hash === hashOfIds(ids)) {
    return { _: 'messages.messagesNotModified', count: total };
  }
  const messages = await viewMessages(call, parent, ids, pageBudget());
  return toMessageList(
    call,
    messages.filter((message) => message !== null),
  );
});

export const example: Example<'messages.getSavedHistory'> = () => ({ peer: SELF, ...WHOLE_HISTORY });

export const difference = 'Always answers `messages.messages`, never a slice.';
