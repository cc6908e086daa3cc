import type { MethodParams } from '../../../../src/tl/tl-json.ts';
import { withMembers } from '../../../../src/with-members.ts';
import { type CallContext, defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { peerUser } from '../../examples/input-peers.ts';
import { checkRandomIds } from '../../model/boxes/random-ids.ts';
import { draftPart, putDraft } from '../../model/conversations/drafts.ts';
import { randomLong } from '../../model/files/documents.ts';
import { toMedia } from '../../model/files/input-media.ts';
import { listGiftStickers } from '../../model/gifts/gift-stickers.ts';
import type { MessageDraft } from '../../model/messages/post.ts';
import { postMessage } from '../../model/messages/post-message.ts';
import { findReply } from '../../model/messages/replies.ts';
import { refusePremiumOptions, shownOptions } from '../../model/messages/send-options.ts';
import { type Sent, toAllSentUpdates } from '../../model/messages/sent-updates.ts';
import { showMedia } from '../../model/payments/prepare-media.ts';
import type { Peer } from '../../model/peers/peer.ts';
import { refuseSendAs } from '../../model/peers/refuse-send-as.ts';
import { resolvePeer } from '../../model/peers/resolve-peer.ts';
import { isForLater, schedule } from '../../model/scheduled/schedule.ts';
import { refuseLongCaption } from '../../model/text/caption.ts';
import { markText } from '../../model/text/entities.ts';

type Params = MethodParams<'messages.sendMultiMedia'>;
type Item = Params['multiMedia'][number];

const ALBUM_MAX = 10;

/**
 * Sends media as an album: messages of one group, each with a caption of its own. Errors: `MEDIA_EMPTY` for an empty album,
 * `MULTI_MEDIA_TOO_LONG` for more than 10 media or if they do not fit one commit (`MESSAGE_TOO_LONG` if scheduled), `MEDIA_INVALID` for media that were not uploaded before.
 */
export const sendMultiMedia = defineMethod('messages.sendMultiMedia', async (params, call) => {
  const { multiMedia } = params;
  refusePremiumOptions(params);
  if (multiMedia.length === 0) throw new MessengerError('MEDIA_EMPTY');
  if (multiMedia.length > ALBUM_MAX) throw new MessengerError('MULTI_MEDIA_TOO_LONG');
  const isLater = isForLater(call, params.scheduleDate);
  const [peer, recordSent] = await Promise.all([
    resolvePeer(call, params.peer),
    checkRandomIds(call, ...multiMedia.map(({ randomId }) => randomId)),
    refuseSendAs(call, params.sendAs),
  ]);
  const groupedId = randomLong();
  const [reply, ...items] = await Promise.all([
    findReply(call, peer, params.replyTo),
    ...multiMedia.map((item, index) => prepareItem(call, peer, params, { item, index, groupedId })),
  ]);
  if (params.clearDraft) await putDraft(call, draftPart(call, peer, reply?.thread), null);
  if (isLater) {
    const { replyTo, scheduleDate = 0 } = params;
    const outgoing = items.map((item) => ({ ...item, reply, replyTo }));
    return schedule(call, peer, outgoing, { date: scheduleDate, recordSent });
  }
  const sent: Sent[] = [];
  for (const [index, { draft, mentions, randomId }] of items.entries()) {
    const burst = { index, size: items.length };
    const posted = await postMessage(call, peer, draft, { mentions, reply, burst });
    if (call.tx.isTooLarge) throw new MessengerError('MULTI_MEDIA_TOO_LONG');
    recordSent(randomId, posted.message.id);
    sent.push(withMembers(posted, { randomId }));
  }
  return toAllSentUpdates(call, peer, sent);
});

async function prepareItem(
  call: CallContext,
  peer: Peer,
  { silent, noforwards, effect, invertMedia }: Params,
  { item, index, groupedId }: { item: Item; index: number; groupedId: string },
) {
  if (item.media._ !== 'inputMediaDocument') throw new MessengerError('MEDIA_INVALID');
  // Before links are looked for in it: ten long texts would take some time.
  refuseLongCaption(item.message.trim());
  const [media, { text, entities, mentions }] = await Promise.all([
    toMedia(call, item.media).catch((error: unknown) => {
      throw withIndex(error, index);
    }),
    markText(call, item.message, item.entities),
  ]);
  const draft: MessageDraft = {
    _: 'message',
    message: text,
    groupedId,
    ...showMedia(call, peer, media),
    ...shownOptions(call, peer, {
      ...(index === 0 && effect ? { effect } : {}),
      ...(invertMedia ? { invertMedia } : {}),
    }),
    ...(entities.length > 0 ? { entities } : {}),
    ...(silent ? { silent } : {}),
    ...(noforwards ? { noforwards } : {}),
  };
  return { draft, mentions, randomId: item.randomId };
}

// With several files, the error says which one is meant.
function withIndex(error: unknown, index: number): unknown {
  const name = error instanceof MessengerError ? error.error : '';
  const prefix = 'FILE_REFERENCE_';
  return name.startsWith(prefix)
    ? new MessengerError(`${prefix}${index}_${name.slice(prefix.length)}`)
    : error;
}

export const example: Example<'messages.sendMultiMedia'> = async (context) => {
  const media = listGiftStickers()
    .slice(0, 2)
    .map(({ document: { id, accessHash, fileReference } }) => ({
      _: 'inputMediaDocument' as const,
      id: { _: 'inputDocument' as const, id, accessHash, fileReference },
    }));
  return {
    peer: await peerUser(context, 'contactId'),
    multiMedia: media.map((one) => ({
      _: 'inputSingleMedia',
      media: one,
      message: '',
      randomId: randomLong(),
    })),
  };
};

export const difference = 'Documents only. What does not fit one commit is `MULTI_MEDIA_TOO_LONG`.';
