import { defineMethod } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { SELF } from '../../examples/input-peers.ts';
import { peersOf } from '../../model/boxes/named-peers.ts';
import { channelBox, userBox } from '../../model/common/keys.ts';
import { listMentioned } from '../../model/peers/mentioned.ts';
import { resolvePeer } from '../../model/peers/resolve-peer.ts';
import { toTlPeer } from '../../model/peers/tl-peer.ts';
import { listStories, maySeeStory, viewStory } from '../../model/stories/stories.ts';

/** The stories of a user or channel that have not expired and that the account may see. */
export const getPeerStories = defineMethod('stories.getPeerStories', async (params, call) => {
  const self = call.account.userId;
  const peer = await resolvePeer(call, params.peer);
  const box = peer.kind === 'channel' ? channelBox(peer.id) : userBox(peer.id);
  const stories = peer.kind === 'chat' ? [] : await listStories(call, box);
  const isShown = await Promise.all(
    stories.map(({ privacy }) => peer.kind === 'channel' || maySeeStory(call, peer.id, privacy, self)),
  );
  const isOwner = peer.kind === 'channel' ? peer.member?.role === 'creator' : peer.id === self;
  const shown = {
    _: 'peerStories' as const,
    peer: toTlPeer(peer),
    stories: stories.filter((_, i) => isShown[i]).map((story) => viewStory(story, isOwner)),
  };
  return { _: 'stories.peerStories', stories: shown, ...(await listMentioned(call, peersOf(shown))) };
});

export const example: Example<'stories.getPeerStories'> = () => ({ peer: SELF });
