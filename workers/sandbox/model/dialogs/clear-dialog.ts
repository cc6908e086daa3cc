import type { tl } from '@mtcute/core';
import type { TlJson } from '../../../../src/tl/tl-json.ts';
import type { CallContext } from '../../../driver.ts';
import { historyKey, messagesKey } from '../boxes/keys.ts';
import type { StoredMessage } from '../boxes/messages.ts';
import { type PeerKey, SEQ, userBox } from '../common/keys.ts';
import { dialogsKey } from '../conversations/keys.ts';
import { recordSent } from '../conversations/sent-messages.ts';
import { toTlPeerOfKey } from '../peers/tl-peer.ts';
import { targetOf } from '../people/users.ts';

/** Keeps an empty dialog of the account at its place and date, with a message that says that its history was cleared. */
export function leaveCleared(call: CallContext, key: PeerKey, date: number): void {
  const { tx, account } = call;
  const box = userBox(account.userId);
  const [id, pts] = [tx.allocate(SEQ, `msg:${box}`), tx.allocate(SEQ, `pts:${box}`)];
  const message: TlJson<tl.RawMessageService> = {
    _: 'messageService',
    id,
    // Notes to oneself are not sent.
    ...(key === box ? {} : { out: true }),
    fromId: { _: 'peerUser', userId: account.userId },
    peerId: toTlPeerOfKey(key),
    date,
    action: { _: 'messageActionHistoryClear' },
  };
  tx.hset(messagesKey(box), id, { message, pts } satisfies StoredMessage);
  tx.zadd(historyKey(account.userId, key), id, id);
  tx.zadd(dialogsKey(account.userId), date, key);
  if (key !== box) recordSent(call, { key }, id, 1);
  const target = targetOf({ id: account.userId, accountId: account.id });
  tx.update(target, { _: 'updateNewMessage', message, pts, ptsCount: 1 });
}
