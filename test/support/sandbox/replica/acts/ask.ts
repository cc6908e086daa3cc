import { WHOLE } from '../../sandbox.ts';
import type { Act, MakeAct, Scene } from './scene.ts';

const EVERYTHING = { q: 'Text', filter: { _: 'inputMessagesFilterEmpty' }, minDate: 0, maxDate: 0 };
const { offsetDate: _, ...WINDOW } = WHOLE;
const FIRST_PAGE = { offsetId: 0, offsetPeer: { _: 'inputPeerEmpty' }, limit: 50 };
const BACK = 30;

/** A call that changes nothing, and whose result has users and chats beside it. */
export const ask: MakeAct = (scene) => scene.random.pick(QUESTIONS)(scene);

const QUESTIONS: readonly ((scene: Scene) => Act)[] = [
  (scene) => scene.act('messages.getHistory', { peer: scene.peer, ...WHOLE, limit: 20 }),
  (scene) => scene.act('messages.search', { peer: scene.peer, ...EVERYTHING, ...WINDOW }),
  (scene) => scene.act('messages.searchGlobal', { ...EVERYTHING, ...FIRST_PAGE, offsetRate: 0 }),
  (scene) => scene.act('messages.getDialogs', { ...FIRST_PAGE, offsetDate: 0, hash: '0' }),
  (scene) => scene.act('messages.getSavedDialogs', { ...FIRST_PAGE, offsetDate: 0, hash: '0' }),
  (scene) => scene.act('messages.getMessageReactionsList', { peer: scene.peer, id: scene.anId(), limit: 20 }),
  (scene) =>
    scene.act('messages.getForumTopics', {
      peer: scene.world.forum.peer,
      offsetDate: 0,
      offsetId: 0,
      offsetTopic: 0,
      limit: 20,
    }),
  (scene) => scene.act('channels.getFullChannel', { channel: aChannel(scene).channel }),
  (scene) => scene.act('messages.getFullChat', { chatId: scene.world.group.chatId }),
  (scene) => {
    const pts = Math.max(1, scene.replica.ptsOf('') - scene.random.below(BACK));
    return scene.act('updates.getDifference', { pts, date: Math.floor(Date.now() / 1_000) - 5, qts: 0 });
  },
  (scene) => {
    const { channel, key } = aChannel(scene);
    const pts = Math.max(1, scene.replica.ptsOf(key) - scene.random.below(BACK));
    const filter = { _: 'channelMessagesFilterEmpty' };
    return scene.act('updates.getChannelDifference', { channel, pts, limit: 100, filter });
  },
];

const aChannel = ({ random, world }: Scene) => random.pick(world.channels);
