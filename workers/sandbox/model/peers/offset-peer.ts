import type { MethodParams } from '../../../../src/tl/tl-json.ts';
import type { CallContext } from '../../../driver.ts';
import type { PeerKey } from '../common/keys.ts';
import { resolvePeer } from './resolve-peer.ts';

/** The key of the peer a page goes on behind; null for `inputPeerEmpty`, which starts from the newest. */
export async function readOffsetPeer(
  call: CallContext,
  input: MethodParams<'messages.getDialogs'>['offsetPeer'],
): Promise<PeerKey | null> {
  return input._ === 'inputPeerEmpty' ? null : (await resolvePeer(call, input)).key;
}
