import type { Examples } from './example.ts';
import { inputChannel } from './input-peers.ts';

/** Examples of what is done with the seeded channels. */
export const channelExamples: Examples = {
  'channels.createChannel': () => ({ broadcast: true, title: 'News', about: 'What is new' }),
  'channels.joinChannel': async (exemplar) => ({ channel: await inputChannel(exemplar, 'openChannelId') }),
  'channels.toggleForum': async (exemplar) => ({
    channel: await inputChannel(exemplar, 'forumId'),
    enabled: false,
    tabs: false,
  }),
  'channels.updateUsername': async (exemplar) => ({
    channel: await inputChannel(exemplar, 'channelId'),
    username: `channel_${exemplar.ids.channelId}_news`,
  }),
  'channels.getMessages': async (exemplar) => ({
    channel: await inputChannel(exemplar, 'channelId'),
    id: [{ _: 'inputMessageID', id: 1 }],
  }),
  'channels.readHistory': async (exemplar) => ({
    channel: await inputChannel(exemplar, 'publicChannelId'),
    maxId: 1,
  }),
  'channels.readMessageContents': async (exemplar) => ({
    channel: await inputChannel(exemplar, 'channelId'),
    id: [1],
  }),
  'channels.deleteMessages': async (exemplar) => ({
    channel: await inputChannel(exemplar, 'forumId'),
    id: [1],
  }),
};
