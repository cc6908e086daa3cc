import { defineMethod } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { peerChannel } from '../../examples/input-peers.ts';
import { generalTopic } from '../../examples/seeded-things.ts';
import { editTopic } from '../../model/forums/edit-topic.ts';
import { resolveForum } from '../../model/peers/resolve-forum.ts';

/** Renames a topic of a forum, changes its icon, closes it or hides it, with a service message. Errors: those of `editTopic`. */
export const editForumTopic = defineMethod('messages.editForumTopic', async ({ peer, ...given }, call) =>
  editTopic(call, await resolveForum(call, peer), given),
);

export const example: Example<'messages.editForumTopic'> = async (context) => ({
  peer: await peerChannel(context, 'forumId'),
  topicId: 1,
  closed: !(await generalTopic(context)).closed,
});
