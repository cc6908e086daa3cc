import { defineMethod } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { inputChannel } from '../../examples/input-peers.ts';
import { generalTopic } from '../../examples/seeded-things.ts';
import { editTopic } from '../../model/forums/edit-topic.ts';
import { refuseNoForum } from '../../model/peers/resolve-forum.ts';
import { resolveChannel } from '../../model/peers/resolve-peer.ts';

/** Does what `messages.editForumTopic` does. */
export const editForumTopic = defineMethod('channels.editForumTopic', async ({ channel, ...given }, call) =>
  editTopic(call, refuseNoForum(await resolveChannel(call, channel)), given),
);

export const example: Example<'channels.editForumTopic'> = async (exemplar) => ({
  channel: await inputChannel(exemplar, 'forumId'),
  topicId: 1,
  hidden: !(await generalTopic(exemplar)).hidden,
});
