import { randomBytes } from 'node:crypto';
import { defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { peerChannel } from '../../examples/input-peers.ts';
import { expectOwnMember } from '../../model/chats/channel-members.ts';
import { mayManageCalls } from '../../model/group-calls/active-calls.ts';
import { RTMP_KEYS } from '../../model/group-calls/keys.ts';
import { resolvePeer } from '../../model/peers/resolve-peer.ts';

/** Streams of the sandbox go nowhere: this name never resolves. */
const URL = 'rtmps://rtmp.switchboard.invalid/s/';

/** The URL and key for streaming to the calls, or the live stories, of a peer; `revoke` replaces the key. */
export const getGroupCallStreamRtmpUrl = defineMethod(
  'phone.getGroupCallStreamRtmpUrl',
  async ({ peer: input, revoke, liveStory }, call) => {
    const peer = await resolvePeer(call, input);
    const isOwn = peer.kind === 'user' && peer.id === call.account.userId;
    // A user has live stories, but no video chat of its own to stream to.
    if (peer.kind === 'user' && !(isOwn && liveStory)) throw new MessengerError('PEER_ID_INVALID');
    if (peer.kind !== 'user' && !mayManageCalls(call, peer)) throw new MessengerError('CHAT_ADMIN_REQUIRED');
    const field = liveStory ? `live:${peer.key}` : peer.key;
    const known = await call.tx.observe(RTMP_KEYS, field);
    if (known !== null && !revoke) return { _: 'phone.groupCallStreamRtmpUrl', url: URL, key: known };
    if (peer.kind === 'channel') expectOwnMember(call, peer);
    const key = `${peer.id}:${randomBytes(16).toString('base64url')}`;
    call.tx.hset(RTMP_KEYS, field, key);
    return { _: 'phone.groupCallStreamRtmpUrl', url: URL, key };
  },
);

export const example: Example<'phone.getGroupCallStreamRtmpUrl'> = async (context) => ({
  peer: await peerChannel(context, 'channelId'),
  revoke: false,
});

export const difference = 'The host does not exist.';
