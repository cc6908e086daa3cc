import { withMembers } from '../../../../src/with-members.ts';
import { defineMethod, MessengerError } from '../../../driver.ts';
import type { Example } from '../../examples/example.ts';
import { peerUser } from '../../examples/input-peers.ts';
import { checkRandomIds } from '../../model/boxes/random-ids.ts';
import { allOf } from '../../model/common/all-of.ts';
import { draftPart, putDraft } from '../../model/conversations/drafts.ts';
import type { MessageDraft } from '../../model/messages/post.ts';
import { postMessage } from '../../model/messages/post-message.ts';
import { findReply } from '../../model/messages/replies.ts';
import {
  refusePremiumOptions,
  refuseSuggestedPost,
  shownOptions,
} from '../../model/messages/send-options.ts';
import { isAnsweredShort, toSentUpdates } from '../../model/messages/sent-updates.ts';
import { refuseSendAs } from '../../model/peers/refuse-send-as.ts';
import { resolvePeer } from '../../model/peers/resolve-peer.ts';
import { isForLater, schedule } from '../../model/scheduled/schedule.ts';
import { markText } from '../../model/text/entities.ts';
import { readReplyMarkup } from '../../model/text/reply-markup.ts';
import { toRichContent } from '../../model/text/rich/rich-message.ts';

const TEXT_MAX = 4_096;

/** Sends a text, or rich content. */
export const sendMessage = defineMethod('messages.sendMessage', async (params, call) => {
  const { randomId, silent, noforwards } = params;
  refusePremiumOptions(params);
  const replyMarkup = params.replyMarkup && (await readReplyMarkup(call, params.replyMarkup));
  const message = params.message.trim();
  if (message === '' && !params.richMessage) throw new MessengerError('MESSAGE_EMPTY');
  if (message.length > TEXT_MAX) throw new MessengerError('MESSAGE_TOO_LONG');
  const isLater = isForLater(call, params.scheduleDate);
  const [peer, { entities, mentions }, rich, recordSent] = await allOf([
    resolvePeer(call, params.peer),
    markText(call, params.message, params.entities),
    params.richMessage ? toRichContent(call, params.richMessage) : null,
    checkRandomIds(call, randomId),
    params.sendAs && refuseSendAs(call, params.sendAs),
  ]);
  refuseSuggestedPost(peer, params.suggestedPost);
  const reply = params.replyTo && (await findReply(call, peer, params.replyTo));
  const draft: MessageDraft = { _: 'message', message };
  if (entities.length > 0) draft.entities = entities;
  if (silent) draft.silent = silent;
  if (noforwards) draft.noforwards = noforwards;
  if (replyMarkup) draft.replyMarkup = replyMarkup;
  // There is no preview of a link, which would be what is shown above the text.
  const { effect } = shownOptions(call, peer, params);
  if (effect !== undefined) draft.effect = effect;
  if (rich) draft.richMessage = rich.richMessage;
  for (const userId of rich?.mentions ?? []) mentions.add(userId);
  if (params.clearDraft) await putDraft(call, draftPart(call, peer, reply?.thread), null);
  if (isLater) {
    const { replyTo, scheduleDate = 0 } = params;
    return schedule(call, peer, [{ draft, randomId, mentions, reply, replyTo }], {
      date: scheduleDate,
      recordSent,
    });
  }
  const posted = await postMessage(call, peer, draft, { mentions, reply });
  recordSent(randomId, posted.message.id, { isShown: !isAnsweredShort(call, peer, posted.message) });
  return toSentUpdates(call, peer, withMembers(posted, { randomId }));
});

export const example: Example<'messages.sendMessage'> = async (context) => ({
  peer: await peerUser(context, 'contactId'),
  message: 'Hello!',
});
