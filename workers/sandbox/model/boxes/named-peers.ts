import type { tl } from '@mtcute/core';
import type { TlJson, Update } from '../../../../src/tl/tl-json.ts';
import type { TlMessage } from './messages.ts';

type TlPeer = TlJson<tl.TypePeer>;
type Message = TlJson<tl.RawMessage>;
type Action = TlJson<tl.TypeMessageAction>;

/** Every peer a message names: what TL wants beside it. */
export function peersOf(message: TlMessage | TlJson<tl.RawMessageEmpty>): TlPeer[] {
  if (message._ === 'messageEmpty') return message.peerId ? [message.peerId] : [];
  const reactions = (message.reactions?.recentReactions ?? []).map(({ peerId }) => peerId);
  const own = message._ === 'message' ? peersOfContent(message) : peersOfAction(message.action);
  const given = [message.fromId, message.savedPeerId, ...peersOfReply(message.replyTo)];
  return [message.peerId, ...given.filter((peer) => peer !== undefined), ...reactions, ...own];
}

/** Every peer named by an update that an account keeps. */
export function peersOfUpdate(update: Update): TlPeer[] {
  switch (update._) {
    case 'updateEditMessage':
      return peersOf(update.message);
    case 'updateReadHistoryInbox':
    case 'updateReadHistoryOutbox':
      return [update.peer];
    case 'updateChannelTooLong':
    case 'updateChannelReadMessagesContents':
      return [{ _: 'peerChannel', channelId: update.channelId }];
    default:
      return [];
  }
}

function peersOfReply(header: TlMessage['replyTo']): (TlPeer | undefined)[] {
  if (header === undefined) return [];
  return header._ === 'messageReplyStoryHeader'
    ? [header.peer]
    : [header.replyToPeerId, header.replyFrom?.fromId];
}

function peersOfContent({ entities, fwdFrom, viaBotId, media }: Message): TlPeer[] {
  const peers: (TlPeer | undefined)[] = [
    fwdFrom?.fromId,
    fwdFrom?.savedFromPeer,
    fwdFrom?.savedFromId,
    ...usersOf(viaBotId),
    ...usersOf(
      ...(entities ?? []).flatMap((one) => (one._ === 'messageEntityMentionName' ? one.userId : [])),
    ),
  ];
  if (media?._ === 'messageMediaPoll') peers.push(...(media.results.recentVoters ?? []));
  if (media?._ === 'messageMediaStory') peers.push(media.peer);
  if (media?._ === 'messageMediaContact' && media.userId > 0) peers.push(...usersOf(media.userId));
  return peers.filter((peer) => peer !== undefined);
}

function peersOfAction(action: Action): TlPeer[] {
  switch (action._) {
    case 'messageActionChatCreate':
    case 'messageActionChatAddUser':
    case 'messageActionInviteToGroupCall':
      return usersOf(...action.users);
    case 'messageActionChatDeleteUser':
      return usersOf(action.userId);
    case 'messageActionChatJoinedByLink':
      return usersOf(action.inviterId);
    case 'messageActionStarGift':
    case 'messageActionStarGiftUnique':
      return [action.fromId, action.peer].filter((peer) => peer !== undefined);
    default:
      return [];
  }
}

function usersOf(...ids: (number | undefined)[]): TlPeer[] {
  return ids.filter((id) => id !== undefined).map((userId) => ({ _: 'peerUser', userId }));
}
