import type { MakeAct } from './scene.ts';

export const readHistory: MakeAct = (scene) => {
  const maxId = scene.oneIn(3) ? 0 : scene.anId();
  const { channel } = scene;
  if (channel) return scene.act('channels.readHistory', { channel: channel.channel, maxId });
  return scene.act('messages.readHistory', { peer: scene.peer, maxId });
};

export const readTopic: MakeAct = (scene) => {
  const { forum, topics } = scene.world;
  const params = {
    peer: forum.peer,
    msgId: scene.random.pick([1, ...topics]),
    readMaxId: scene.oneIn(2) ? 0 : scene.anId(forum.key),
  };
  return scene.act('messages.readDiscussion', params);
};

export const readMentions: MakeAct = (scene) =>
  scene.act('messages.readMentions', { peer: scene.peer, ...scene.madeTopic });

export const readContents: MakeAct = (scene) => {
  const id = scene.fewIds();
  const { channel } = scene;
  if (channel) return scene.act('channels.readMessageContents', { channel: channel.channel, id });
  return scene.act('messages.readMessageContents', { id });
};

export const readPollVotes: MakeAct = (scene) => scene.act('messages.readPollVotes', { peer: scene.peer });

export const view: MakeAct = (scene) => {
  const id = scene.fewIds();
  if (id.length === 0) return null;
  return scene.act('messages.getMessagesViews', { peer: scene.peer, id, increment: true });
};
