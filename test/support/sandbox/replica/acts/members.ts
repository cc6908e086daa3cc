import { userOf } from '../../sandbox.ts';
import type { MakeAct } from './scene.ts';

export const join: MakeAct = (scene) => {
  const place = scene.random.pick(scene.world.channels);
  return scene.act('channels.joinChannel', { channel: place.channel });
};

export const leave: MakeAct = (scene) => {
  const place = scene.random.pick(scene.world.channels);
  return scene.act('channels.leaveChannel', { channel: place.channel });
};

export const invite: MakeAct = (scene) => {
  const place = scene.random.pick(scene.world.channels);
  const params = { channel: place.channel, users: [userOf(scene.aGuest())] };
  return { account: scene.creator, method: 'channels.inviteToChannel', params };
};

export const leaveGroup: MakeAct = (scene) => {
  const { group } = scene.world;
  if (scene.account === scene.creator) return null;
  const params = { chatId: group.chatId, userId: { _: 'inputUserSelf' } };
  return scene.act('messages.deleteChatUser', params);
};

export const addToGroup: MakeAct = (scene) => {
  const { group } = scene.world;
  const fwdLimit = scene.random.pick([0, 3, 100]);
  const params = { chatId: group.chatId, userId: userOf(scene.aGuest()), fwdLimit };
  return { account: scene.creator, method: 'messages.addChatUser', params };
};

export const removeFromGroup: MakeAct = (scene) => {
  const { group } = scene.world;
  const params = {
    chatId: group.chatId,
    userId: userOf(scene.aGuest()),
    ...scene.maybe(2, { revokeHistory: true }),
  };
  return { account: scene.creator, method: 'messages.deleteChatUser', params };
};

export const forbidPolls: MakeAct = (scene) => {
  const [, place = scene.world.forum] = scene.world.supergroups;
  const bannedRights = { _: 'chatBannedRights', untilDate: 0, ...scene.maybe(2, { sendPolls: true }) };
  const params = { peer: place.peer, bannedRights };
  return { account: scene.creator, method: 'messages.editChatDefaultBannedRights', params };
};
