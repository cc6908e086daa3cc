import { peerOf } from '../../sandbox.ts';
import type { MakeAct } from './scene.ts';

export const deleteMessages: MakeAct = (scene) => {
  const id = [scene.anId(), ...(scene.oneIn(2) ? [scene.anId()] : [])];
  const { channel } = scene;
  if (channel) return scene.act('channels.deleteMessages', { channel: channel.channel, id });
  return scene.act('messages.deleteMessages', { id, ...scene.maybe(2, { revoke: true }) });
};

export const deleteHistory: MakeAct = (scene) => {
  if (scene.channel) return null;
  return scene.act('messages.deleteHistory', {
    peer: scene.peer,
    maxId: scene.oneIn(2) ? scene.anId() : 0,
    ...scene.maybe(2, { revoke: true }),
    ...scene.maybe(3, { justClear: true }),
  });
};

export const deleteAllOfOne: MakeAct = (scene) => {
  const place = scene.random.pick(scene.world.supergroups);
  const params = { channel: place.channel, participant: peerOf(scene.aGuest()) };
  return { account: scene.creator, method: 'channels.deleteParticipantHistory', params };
};
