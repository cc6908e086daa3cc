import type { tl } from '@mtcute/core';
import type { TlJson } from '../../../../src/tl/tl-json.ts';
import { type CallContext, MessengerError } from '../../../driver.ts';
import { refuseUnknownPeers } from '../peers/refuse-unknown.ts';

type ReplyMarkup = TlJson<tl.TypeReplyMarkup>;

// Every copy of the message carries it.
const JSON_LENGTH_MAX = 10_000;

/**
 * A bot's keyboard for a message; keyboards of other accounts are ignored. Errors: `REPLY_MARKUP_TOO_LONG` for more than 10,000 characters
 * of JSON.
 */
export async function readReplyMarkup(
  call: CallContext,
  markup: ReplyMarkup | undefined,
): Promise<ReplyMarkup | undefined> {
  if (markup && JSON.stringify(markup).length > JSON_LENGTH_MAX)
    throw new MessengerError('REPLY_MARKUP_TOO_LONG');
  if (!call.account.bot) return undefined;
  await refuseUnknownPeers(call, markup);
  return markup;
}
