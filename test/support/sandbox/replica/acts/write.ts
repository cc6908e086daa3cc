import { aRandomId } from '../../sandbox.ts';
import type { MakeAct, Scene } from './scene.ts';

const VOTES = ['MA==', 'MQ=='];

export const sendText: MakeAct = (scene) =>
  scene.act('messages.sendMessage', {
    peer: scene.peer,
    message: scene.aText() + (scene.oneIn(3) ? ` @${scene.random.pick(scene.world.accounts).username}` : ''),
    randomId: aRandomId(),
    ...replyTo(scene),
    ...scene.maybe(4, { clearDraft: true }),
  });

export const sendPoll: MakeAct = (scene) =>
  scene.act('messages.sendMedia', {
    peer: scene.peer,
    message: '',
    randomId: aRandomId(),
    media: aPoll(),
    ...replyTo(scene),
  });

export const edit: MakeAct = (scene) =>
  scene.act('messages.editMessage', {
    peer: scene.peer,
    id: scene.anId(),
    message: `${scene.aText()} edited`,
  });

export const forward: MakeAct = (scene) => {
  const plain = scene.recent().filter((one) => one._ === 'message' && !one.media);
  const ids = plain.slice(-5).map(({ id }) => id);
  if (ids.length === 0) return null;
  const to = scene.aPlace();
  const topic = to.kind === 'forum' ? scene.aTopic() : undefined;
  const params = {
    fromPeer: scene.peer,
    id: ids,
    randomId: ids.map(aRandomId),
    toPeer: to.peer,
    ...(topic !== undefined && topic > 1 ? { topMsgId: topic } : {}),
  };
  return scene.act('messages.forwardMessages', params);
};

export const react: MakeAct = (scene) =>
  scene.act('messages.sendReaction', {
    peer: scene.peer,
    msgId: scene.anId(),
    reaction: scene.oneIn(4) ? [] : [{ _: 'reactionEmoji', emoticon: scene.random.pick(['👍', '❤', '🔥']) }],
  });

export const vote: MakeAct = (scene) => {
  const polls = [...scene.replica.messagesOf(scene.place.key).values()].filter(
    (one) => one._ === 'message' && one.media?._ === 'messageMediaPoll',
  );
  const poll = polls.at(-1);
  if (!poll) return null;
  const options = scene.oneIn(4) ? [] : [scene.random.pick(VOTES)];
  return scene.act('messages.sendVote', { peer: scene.peer, msgId: poll.id, options });
};

export const pin: MakeAct = (scene) =>
  scene.act('messages.updatePinnedMessage', {
    peer: scene.peer,
    id: scene.anId(),
    ...scene.maybe(3, { unpin: true }),
    ...scene.maybe(5, { pmOneside: true }),
  });

export const unpinAll: MakeAct = (scene) =>
  scene.act('messages.unpinAllMessages', { peer: scene.peer, ...scene.madeTopic });

export const saveDraft: MakeAct = (scene) => {
  const { topic } = scene;
  return scene.act('messages.saveDraft', {
    peer: scene.peer,
    message: scene.oneIn(3) ? '' : scene.aText(),
    ...(topic === undefined
      ? {}
      : { replyTo: { _: 'inputReplyToMessage', replyToMsgId: topic, topMsgId: topic } }),
  });
};

function replyTo(scene: Scene): object {
  const { topic } = scene;
  if (topic !== undefined && scene.oneIn(2))
    return { replyTo: { _: 'inputReplyToMessage', replyToMsgId: topic, topMsgId: topic } };
  if (topic === undefined && !scene.oneIn(3)) return {};
  return { replyTo: { _: 'inputReplyToMessage', replyToMsgId: scene.anId() } };
}

function aPoll(): object {
  const toText = (text: string) => ({ _: 'textWithEntities', text, entities: [] });
  const answers = ['Yes', 'No'].map((text, i) => ({
    _: 'pollAnswer',
    text: toText(text),
    option: VOTES[i],
  }));
  return {
    _: 'inputMediaPoll',
    poll: { _: 'poll', id: '0', hash: '0', question: toText('Really?'), answers },
  };
}
