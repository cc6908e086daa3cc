import type { tl } from '@mtcute/core';
import type { TlJson } from '../../../../src/tl/tl-json.ts';
import { type CallContext, MessengerError } from '../../../driver.ts';
import { refuseUnknownPeers } from '../peers/refuse-unknown.ts';
import { resolveUser } from '../peers/resolve-peer.ts';
import { isButtonUrl, isWebAppUrl } from './button-urls.ts';

type ReplyMarkup = TlJson<tl.TypeReplyMarkup>;
type Button = TlJson<tl.TypeKeyboardButton>;

// Every copy of the message carries it.
const JSON_LENGTH_MAX = 10_000;

// Source: core.telegram.org/bots/api, InlineKeyboardButton.
const CALLBACK_DATA_MAX = 64;

/**
 * A bot's keyboard for a message, with its buttons as readers are shown them; keyboards of other accounts are ignored. Errors:
 * `REPLY_MARKUP_TOO_LONG` for more than 10,000 characters of JSON, `BUTTON_TYPE_INVALID` for a button that its keyboard cannot have,
 * `BUTTON_URL_INVALID`, `BUTTON_DATA_INVALID` for callback data of no or more than 64 bytes, `BOT_INVALID` and `USER_ID_INVALID` for a bot or
 * user that a button names.
 */
export async function readReplyMarkup(
  call: CallContext,
  markup: ReplyMarkup | undefined,
): Promise<ReplyMarkup | undefined> {
  if (markup && JSON.stringify(markup).length > JSON_LENGTH_MAX)
    throw new MessengerError('REPLY_MARKUP_TOO_LONG');
  if (!call.account.bot) return undefined;
  if (markup === undefined || !('rows' in markup)) return markup;
  checkButtons(markup);
  const show = showButtons(call);
  const rows = await Promise.all(
    markup.rows.map(async (row) => ({ ...row, buttons: await Promise.all(row.buttons.map(show)) })),
  );
  await refuseUnknownPeers(call, rows);
  return { ...markup, rows };
}

// The buttons of a keyboard that is shown in place of the user's own; all others are shown with a message. Source:
// core.telegram.org/api/bots/buttons.
const TYPED: ReadonlySet<Button['_']> = new Set([
  'keyboardButton',
  'keyboardButtonRequestPhone',
  'keyboardButtonRequestGeoLocation',
  'keyboardButtonRequestPoll',
  'keyboardButtonRequestPeer',
  'inputKeyboardButtonRequestPeer',
  'keyboardButtonSimpleWebView',
]);

function checkButtons({ _, rows }: Extract<ReplyMarkup, { rows: object }>): void {
  for (const button of rows.flatMap(({ buttons }) => buttons)) {
    if (TYPED.has(button._) === (_ === 'replyInlineMarkup')) throw new MessengerError('BUTTON_TYPE_INVALID');
    if (!('url' in button)) continue;
    const isUrl = button._ === 'keyboardButtonUrl' ? isButtonUrl : isWebAppUrl;
    if (!isUrl(button.url)) throw new MessengerError('BUTTON_URL_INVALID');
  }
}

function showButtons(call: CallContext): (button: Button) => Promise<Button> {
  let id = 0;
  return (button) => {
    id += 1;
    return showButton(call, button, id);
  };
}

// A button as a bot sends it may name a user by an access hash, which readers must not see.
async function showButton(call: CallContext, button: Button, id: number): Promise<Button> {
  switch (button._) {
    case 'inputKeyboardButtonUserProfile': {
      const user = await resolveUser(call, button.userId);
      return { ...button, _: 'keyboardButtonUserProfile', userId: user.id };
    }
    case 'inputKeyboardButtonUrlAuth': {
      const { bot, requestWriteAccess: _, ...shown } = button;
      if (!(await resolveUser(call, bot)).bot) throw new MessengerError('BOT_INVALID');
      return { ...shown, _: 'keyboardButtonUrlAuth', buttonId: id };
    }
    case 'inputKeyboardButtonRequestPeer': {
      const { nameRequested: _, usernameRequested: __, photoRequested: ___, ...shown } = button;
      return { ...shown, _: 'keyboardButtonRequestPeer' };
    }
    case 'keyboardButtonCallback': {
      const bytes = Buffer.byteLength(button.data, 'base64');
      if (bytes < 1 || bytes > CALLBACK_DATA_MAX) throw new MessengerError('BUTTON_DATA_INVALID');
      return button;
    }
    default:
      return button;
  }
}
