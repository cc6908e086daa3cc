import { defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { inputChannel, SELF } from '../../examples/input-peers.ts';
import { findMessages } from '../../model/boxes/messages.ts';
import { expectOwnMember } from '../../model/chats/channel-members.ts';
import { isAllowed } from '../../model/chats/rights.ts';
import { channelBox, SEQ } from '../../model/common/keys.ts';
import { sentKey } from '../../model/conversations/keys.ts';
import { removePosts } from '../../model/messages/remove-posts.ts';
import { resolveChannel, resolvePeer } from '../../model/peers/resolve-peer.ts';

const AT_ONCE = 100;

/**
 * Deletes what a user has written in a supergroup, newest first; `offset` says how much is left. Errors: `CHAT_ADMIN_REQUIRED`,
 * `PARTICIPANT_ID_INVALID`, `CHANNEL_INVALID` for what is no supergroup.
 */
export const deleteParticipantHistory = defineMethod(
  'channels.deleteParticipantHistory',
  async (params, call) => {
    const { tx } = call;
    const [peer, user] = await Promise.all([
      resolveChannel(call, params.channel),
      resolvePeer(call, params.participant),
    ]);
    if (peer.channel.kind !== 'megagroup') throw new MessengerError('CHANNEL_INVALID');
    if (user.kind !== 'user') throw new MessengerError('PARTICIPANT_ID_INVALID');
    if (!isAllowed(peer.member, 'deleteMessages')) throw new MessengerError('CHAT_ADMIN_REQUIRED');
    expectOwnMember(call, peer);
    const [name, box] = [tx.key(sentKey(user.id, peer.key)), channelBox(peer.id)];
    const [total, ids] = await Promise.all([tx.read.zcard(name), tx.read.zrevrange(name, 0, AT_ONCE - 1)]);
    const found = (await findMessages(call, box, ids)).filter((one) => one !== null);
    // What a channel or a topic begins with stays.
    const written = found.filter(({ message }) => message._ === 'message');
    const removed = await removePosts(call, peer, written);
    const isDone = written.length === 0 || (total <= AT_ONCE && removed === written.length);
    return {
      _: 'messages.affectedHistory',
      pts: tx.allocate(SEQ, `pts:${box}`, 0),
      ptsCount: removed,
      offset: isDone ? 0 : total - removed,
    };
  },
);

export const example: Example<'channels.deleteParticipantHistory'> = async (exemplar) => ({
  channel: await inputChannel(exemplar, 'forumId'),
  participant: SELF,
});

export const difference = 'At most 100 messages at once, as many as fit one commit; service messages stay.';
