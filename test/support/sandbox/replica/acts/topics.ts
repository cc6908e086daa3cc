import { aRandomId } from '../../sandbox.ts';
import type { MakeAct } from './scene.ts';

export const createTopic: MakeAct = (scene) => {
  const { forum, topics } = scene.world;
  if (topics.length > 4) return null;
  const params = { peer: forum.peer, title: scene.aText(), randomId: aRandomId() };
  return scene.act('messages.createForumTopic', params);
};

export const editTopic: MakeAct = (scene) => {
  const { forum, topics } = scene.world;
  const topicId = scene.random.pick([1, ...topics]);
  const change = scene.oneIn(2) ? { title: scene.aText() } : { closed: scene.oneIn(2) };
  return scene.act('messages.editForumTopic', { peer: forum.peer, topicId, ...change });
};

export const deleteTopic: MakeAct = (scene) => {
  const { forum, topics, accounts } = scene.world;
  if (topics.length === 0) return null;
  // The creator, and who may delete messages.
  const account = scene.random.pick(accounts.slice(0, 2));
  const params = { peer: forum.peer, topMsgId: scene.random.pick(topics) };
  return { account, method: 'messages.deleteTopicHistory', params };
};
