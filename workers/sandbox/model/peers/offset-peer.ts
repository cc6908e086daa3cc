import type { MethodParams } from '../../../../src/tl/tl-json.ts';
import { type CallContext, MessengerError } from '../../../driver.ts';
import type { PeerKey } from '../common/keys.ts';
import { resolvePeer } from './resolve-peer.ts';
import { keyOfInput } from './tl-peer.ts';

const UNREACHABLE: readonly string[] = ['CHAT_ID_INVALID', 'CHANNEL_PRIVATE'];

/**
 * The key of the peer after which a page of a list (`name`) continues; null for `inputPeerEmpty`, which starts with the newest. It may be a
 * group or channel that the account has left and cannot reach, but that is still listed.
 */
export async function readOffsetPeer(
  call: CallContext,
  input: MethodParams<'messages.getDialogs'>['offsetPeer'],
  name: string,
): Promise<PeerKey | null> {
  if (input._ === 'inputPeerEmpty') return null;
  try {
    return (await resolvePeer(call, input)).key;
  } catch (error) {
    const key = keyOfInput(input);
    const isUnreachable = error instanceof MessengerError && UNREACHABLE.includes(error.error);
    if (!isUnreachable || key === null) throw error;
    if ((await call.tx.read.zscore(call.tx.key(name), key)) === null) throw error;
    return key;
  }
}
