import type { MethodParams } from '../../../../src/tl/tl-json.ts';
import type { CallContext } from '../../../driver.ts';
import type { PeerKey } from '../common/keys.ts';
import { resolvePeer } from './resolve-peer.ts';

/**
 * The key of the peer after which a page of a list (`name`) continues; null for `inputPeerEmpty`, which starts with the newest. It may be a
 * basic group that the account has left and cannot reach, but that is still listed.
 */
export async function readOffsetPeer(
  call: CallContext,
  input: MethodParams<'messages.getDialogs'>['offsetPeer'],
  name: string,
): Promise<PeerKey | null> {
  if (input._ === 'inputPeerEmpty') return null;
  if (input._ === 'inputPeerChat') {
    const key: PeerKey = `g${input.chatId}`;
    if ((await call.tx.read.zscore(call.tx.key(name), key)) !== null) return key;
  }
  return (await resolvePeer(call, input)).key;
}
