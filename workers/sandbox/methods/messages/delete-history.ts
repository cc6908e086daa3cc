import type { MethodParams } from '../../../../src/tl/tl-json.ts';
import { type CallContext, defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { peerChat } from '../../examples/input-peers.ts';
import { toOffsetId } from '../../model/boxes/date-offset.ts';
import { historyKey } from '../../model/boxes/keys.ts';
import { findMessages } from '../../model/boxes/messages.ts';
import { userBox } from '../../model/common/keys.ts';
import { readPts } from '../../model/common/pts.ts';
import { pageBudget } from '../../model/common/read-budget.ts';
import { leaveCleared } from '../../model/dialogs/clear-dialog.ts';
import { deleteCopies } from '../../model/dialogs/delete-copies.ts';
import type { Peer } from '../../model/peers/peer.ts';
import { resolvePeer } from '../../model/peers/resolve-peer.ts';

type Params = MethodParams<'messages.deleteHistory'>;
type CopiedPeer = Exclude<Peer, { kind: 'channel' }>;

const AT_ONCE = 100;

/**
 * Deletes messages of a private chat or basic group, up to a message or between two dates: for the account alone, or with `revoke` for
 * everybody. It deletes as many as fit one commit; `offset` says how many are left. With `justClear` the conversation stays in the list of
 * dialogs.
 */
export const deleteHistory = defineMethod('messages.deleteHistory', async (params, call) => {
  const peer = await findPeer(call, params);
  const { ids, total, all } = await listIds(call, peer, params);
  const box = userBox(call.account.userId);
  const found = (await findMessages(call, box, ids, pageBudget())).filter((one) => one !== null);
  const revoking = params.revoke ? { groups: peer.kind === 'chat' ? [peer.chat] : [] } : null;
  const deleted = await deleteCopies(call, found, revoking);
  const left = total - (deleted?.ids.length ?? 0);
  const newest = found.at(-1);
  const isEmpty = all === (deleted?.ids.length ?? 0);
  if (params.justClear && isEmpty && newest) leaveCleared(call, peer.key, newest.message.date);
  return {
    _: 'messages.affectedHistory',
    pts: deleted?.pts ?? (await readPts(call, box)),
    ptsCount: deleted?.ids.length ?? 0,
    offset: left,
  };
});

async function findPeer(call: CallContext, params: Params): Promise<CopiedPeer> {
  const { revoke, minDate, maxDate } = params;
  // Only a member may delete what others have.
  const peer = await resolvePeer(call, params.peer, { left: !revoke });
  if (peer.kind === 'channel') throw new MessengerError('PEER_ID_INVALID');
  const hasDates = minDate !== undefined || maxDate !== undefined;
  if (peer.kind === 'chat' && hasDates) throw new MessengerError('CHAT_REVOKE_DATE_UNSUPPORTED');
  if (isInvalidDate(minDate)) throw new MessengerError('MIN_DATE_INVALID');
  if (isInvalidDate(maxDate)) throw new MessengerError('MAX_DATE_INVALID');
  const isOwn = peer.kind !== 'chat' || peer.chat.creatorId === call.account.userId;
  if (revoke && !isOwn) throw new MessengerError('CHAT_ADMIN_REQUIRED');
  return peer;
}

function isInvalidDate(date: number | undefined): boolean {
  return date !== undefined && date < 0;
}

// The ids of messages to delete, how many there are to delete, and how many in the conversation.
async function listIds(
  call: CallContext,
  peer: CopiedPeer,
  { maxId, minDate = 0, maxDate = 0, justClear }: Params,
): Promise<{ ids: string[]; total: number; all: number }> {
  const { read } = call.tx;
  const name = historyKey(call.account.userId, peer.key);
  const idAt = (date: number) =>
    toOffsetId(call, name, userBox(call.account.userId), { offsetId: 0, offsetDate: date });
  // 0 stands for no bound, and for no message since then.
  const [from, before] = await Promise.all([idAt(minDate), idAt(maxDate === 0 ? 0 : maxDate + 1)]);
  const isNothing = minDate > 0 && from === 0;
  const low = isNothing ? '(+inf' : from;
  const high = before > 0 ? `(${before}` : '+inf';
  const upTo = maxId > 0 && (before === 0 || maxId < before) ? maxId : high;
  const key = call.tx.key(name);
  const [ids, total, all] = await Promise.all([
    // The newest message goes last where the dialog keeps its date.
    justClear
      ? read.zrangebyscore(key, low, upTo, 'LIMIT', 0, AT_ONCE)
      : read.zrevrangebyscore(key, upTo, low, 'LIMIT', 0, AT_ONCE),
    read.zcount(key, low, upTo),
    read.zcard(key),
  ]);
  return { ids, total, all };
}

// Other examples need the chats with the contact and the bot.
export const example: Example<'messages.deleteHistory'> = ({ ids }) => ({
  peer: peerChat(ids.chatId),
  maxId: 0,
});

export const difference = 'At most 100 messages; `offset` says how many are left.';
