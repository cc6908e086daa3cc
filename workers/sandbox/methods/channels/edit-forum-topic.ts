import { defineMethod } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { inputChannel } from '../../examples/input-peers.ts';
import { generalTopic } from '../../examples/seeded-things.ts';
import { editTopic } from '../../model/forums/edit-topic.ts';
import { requireForum } from '../../model/peers/resolve-forum.ts';
import { resolveChannel } from '../../model/peers/resolve-peer.ts';

/** Does what `messages.editForumTopic` does. */
export const editForumTopic = defineMethod('channels.editForumTopic', async ({ channel, ...given }, call) =>
  editTopic(call, requireForum(await resolveChannel(call, channel)), given),
);

export const example: Example<'channels.editForumTopic'> = async (context) => ({
  channel: await inputChannel(context, 'forumId'),
  topicId: 1,
  hidden: !(await generalTopic(context)).hidden,
});
