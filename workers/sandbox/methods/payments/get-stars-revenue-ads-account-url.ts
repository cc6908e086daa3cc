import { createHash } from 'node:crypto';
import { type CallContext, defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { peerUser } from '../../examples/input-peers.ts';
import type { Peer } from '../../model/peers/peer.ts';
import { resolvePeer } from '../../model/peers/resolve-peer.ts';
import { getSeeded } from '../../model/people/seeded.ts';

const ADS_URL = 'https://ads.example.com';

/** The address of the ad account that is paid with the Stars of a channel or bot the account owns; the same at each call. */
export const getStarsRevenueAdsAccountUrl = defineMethod(
  'payments.getStarsRevenueAdsAccountUrl',
  async (params, call) => {
    const peer = await resolvePeer(call, params.peer, { empty: 'channel' });
    const accessHash = await ownedHash(call, peer);
    const token = createHash('sha256').update(`${call.workspaceId}:${peer.key}:${accessHash}`).digest('hex');
    return {
      _: 'payments.starsRevenueAdsAccountUrl',
      url: `${ADS_URL}/account/${peer.key}?token=${token}`,
    };
  },
);

async function ownedHash(call: CallContext, peer: Peer): Promise<string> {
  if (peer.kind === 'channel' && peer.channel.kind === 'broadcast') {
    if (peer.channel.creatorId !== call.account.userId) throw new MessengerError('CHAT_WRITE_FORBIDDEN');
    return peer.channel.accessHash;
  }
  if (peer.kind !== 'user' || !peer.user.bot) throw new MessengerError('PEER_ID_INVALID');
  const isOwn = peer.id === call.account.userId || peer.id === (await getSeeded(call)).botId;
  if (!isOwn) throw new MessengerError('PEER_ID_INVALID');
  return peer.user.accessHash;
}

export const example: Example<'payments.getStarsRevenueAdsAccountUrl'> = async (context) => ({
  peer: await peerUser(context, 'botId'),
});

export const difference = 'The address does not exist.';
