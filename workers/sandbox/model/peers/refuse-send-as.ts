import type { tl } from '@mtcute/core';
import type { TlJson } from '../../../../src/tl/tl-json.ts';
import { type CallContext, MessengerError } from '../../../driver.ts';
import { resolvePeer } from './resolve-peer.ts';

/** Throws `SEND_AS_PEER_INVALID` for a sender other than the calling account. */
export async function refuseSendAs(
  call: CallContext,
  sendAs: TlJson<tl.TypeInputPeer> | undefined,
): Promise<void> {
  if (!sendAs) return;
  const peer = await resolvePeer(call, sendAs);
  if (peer.kind !== 'user' || peer.id !== call.account.userId)
    throw new MessengerError('SEND_AS_PEER_INVALID');
}
