import { type CallContext, MessengerError } from '../../../driver.ts';
import { isAdmin } from '../chats/channel-members.ts';
import { type Ban, type BannedRight, type BannedRights, isForbidden } from '../chats/rights.ts';
import type { Peer } from '../peers/peer.ts';
import { findBlocks, refuseBlocked } from '../people/blocks.ts';
import type { MessageDraft } from './post.ts';

type Media = NonNullable<Extract<MessageDraft, { _: 'message' }>['media']>;

/** What the calling account is banned from in a group or channel, and what no member may do there. */
interface Restrictions {
  ban?: Ban | undefined;
  defaultBan?: BannedRights | undefined;
}

/** The restrictions that hold for the calling account in a conversation. */
export function restrictionsIn({ account }: CallContext, peer: Peer): Restrictions {
  if (peer.kind === 'chat')
    return peer.chat.creatorId === account.userId ? {} : { defaultBan: peer.chat.defaultBan };
  if (peer.kind === 'user' || peer.channel.kind === 'monoforum') return {};
  const { channel, member } = peer;
  return { ban: member?.ban, defaultBan: isAdmin(member) ? undefined : channel.defaultBan };
}

/**
 * Throws if the calling account may not write to another user: `INPUT_USER_DEACTIVATED`, `USER_IS_BOT`, and those of `refuseBlocked`.
 * Undefined if that is known without a read.
 */
export function refuseRecipient(
  call: CallContext,
  peer: Extract<Peer, { kind: 'user' }>,
): Promise<void> | undefined {
  if (peer.user.deleted) throw new MessengerError('INPUT_USER_DEACTIVATED');
  if (call.account.bot && peer.user.bot) throw new MessengerError('USER_IS_BOT');
  if (peer.blocks === undefined) return findBlocks(call, peer.id).then(refuseBlocked);
  refuseBlocked(peer.blocks);
  return undefined;
}

/**
 * Throws if a member is banned from writing (`USER_BANNED_IN_CHANNEL`) or from sending this kind of message (`CHAT_SEND_PLAIN_FORBIDDEN`,
 * `CHAT_SEND_MEDIA_FORBIDDEN` and the like), or if no member may send it (`CHAT_WRITE_FORBIDDEN`).
 */
export function refuseRestricted(
  { date }: CallContext,
  draft: MessageDraft,
  { ban, defaultBan }: Restrictions,
): void {
  if (draft._ !== 'message' || !(ban || defaultBan)) return;
  if (isForbidden(ban, 'sendMessages', date)) throw new MessengerError('USER_BANNED_IN_CHANNEL');
  if (defaultBan?.sendMessages) throw new MessengerError('CHAT_WRITE_FORBIDDEN');
  for (const [right, error] of kindsOf(draft.media)) {
    if (defaultBan?.[right] || isForbidden(ban, right, date)) throw new MessengerError(error);
  }
}

function kindsOf(media: Media | undefined): [BannedRight, string][] {
  if (media === undefined) return [['sendPlain', 'CHAT_SEND_PLAIN_FORBIDDEN']];
  return [['sendMedia', 'CHAT_SEND_MEDIA_FORBIDDEN'], kindOf(media)];
}

function kindOf(media: Media): [BannedRight, string] {
  if (media._ === 'messageMediaPoll') return ['sendPolls', 'CHAT_SEND_POLL_FORBIDDEN'];
  if (media._ === 'messageMediaPhoto') return ['sendPhotos', 'CHAT_SEND_PHOTOS_FORBIDDEN'];
  if (media._ !== 'messageMediaDocument') return ['sendMedia', 'CHAT_SEND_MEDIA_FORBIDDEN'];
  if (media.voice) return ['sendVoices', 'CHAT_SEND_VOICES_FORBIDDEN'];
  if (media.round) return ['sendRoundvideos', 'CHAT_SEND_ROUNDVIDEOS_FORBIDDEN'];
  const attributes = media.document?._ === 'document' ? media.document.attributes : [];
  for (const { _ } of attributes) {
    if (_ === 'documentAttributeSticker') return ['sendStickers', 'CHAT_SEND_STICKERS_FORBIDDEN'];
    if (_ === 'documentAttributeAnimated') return ['sendGifs', 'CHAT_SEND_GIFS_FORBIDDEN'];
    if (_ === 'documentAttributeAudio') return ['sendAudios', 'CHAT_SEND_AUDIOS_FORBIDDEN'];
  }
  return media.video
    ? ['sendVideos', 'CHAT_SEND_VIDEOS_FORBIDDEN']
    : ['sendDocs', 'CHAT_SEND_DOCS_FORBIDDEN'];
}
