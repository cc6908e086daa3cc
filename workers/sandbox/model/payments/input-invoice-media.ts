import { Buffer } from 'node:buffer';
import type { tl } from '@mtcute/core';
import { parseUrl } from '../../../../src/parse-url.ts';
import type { TlJson } from '../../../../src/tl/tl-json.ts';
import { type CallContext, MessengerError } from '../../../driver.ts';
import { randomLong } from '../files/documents.ts';
import { type InvoiceRecord, putInvoice } from './invoices.ts';

type Invoice = TlJson<tl.RawInvoice>;
type InputMediaInvoice = TlJson<tl.RawInputMediaInvoice>;

const PAYLOAD_BYTES_MAX = 128;
const TITLE_MAX = 32;
const DESCRIPTION_MAX = 255;
const URL_MAX = 2_048;
// As long as other JSON texts from callers, and as a document's name, type and attributes.
const PROVIDER_DATA_MAX = 16_384;
const JSON_LENGTH_MAX = 8_000;
const TIPS_MAX = 4;
// Amounts are in the smallest unit; the bound is a number that every client can show.
const TOTAL_MAX = 99_999_999_999n;
const CURRENCY = /^[A-Z]{3}$/;

/**
 * Stores a bot's invoice, which a message with this keyboard shows. Errors: `BOT_PAYMENTS_DISABLED` for an account that is not a bot,
 * `PAYMENT_PROVIDER_INVALID` without a provider, `STARS_INVOICE_INVALID` for one in Stars, `INVOICE_PAYLOAD_INVALID`,
 * `CURRENCY_TOTAL_AMOUNT_INVALID`, `TERMS_URL_INVALID`, `WEBDOCUMENT_URL_EMPTY`, `WEBDOCUMENT_URL_INVALID`, `WEBDOCUMENT_MIME_INVALID`,
 * `MEDIA_INVALID` also for long texts, `SUBSCRIPTION_EXPORT_MISSING` for a subscription; `REPLY_MARKUP_BUY_EMPTY` for a keyboard that does
 * not begin with the button to pay.
 */
export function addInvoice(
  call: CallContext,
  media: InputMediaInvoice,
  keyboard: TlJson<tl.TypeReplyMarkup> | undefined,
): InvoiceRecord {
  const { title, description, invoice, payload, provider, providerData, startParam = '' } = media;
  if (!call.account.bot) throw new MessengerError('BOT_PAYMENTS_DISABLED');
  if (invoice.currency === 'XTR') throw new MessengerError('STARS_INVOICE_INVALID');
  if (provider === undefined || provider === '') throw new MessengerError('PAYMENT_PROVIDER_INVALID');
  const payloadBytes = Buffer.byteLength(payload, 'base64');
  if (payloadBytes === 0 || payloadBytes > PAYLOAD_BYTES_MAX)
    throw new MessengerError('INVOICE_PAYLOAD_INVALID');
  if (title.trim() === '' || media.extendedMedia || !hasShortTexts(media))
    throw new MessengerError('MEDIA_INVALID');
  if (invoice.subscriptionPeriod !== undefined) throw new MessengerError('SUBSCRIPTION_EXPORT_MISSING');
  checkAmounts(invoice);
  if (invoice.termsUrl !== undefined && !isHttpUrl(invoice.termsUrl))
    throw new MessengerError('TERMS_URL_INVALID');
  const photo = media.photo ? readPhoto(media.photo) : null;
  if (keyboard && !beginsWithBuy(keyboard)) throw new MessengerError('REPLY_MARKUP_BUY_EMPTY');
  return putInvoice(call, {
    botId: call.account.userId,
    title,
    description,
    photo,
    invoice: withWholeTips(invoice),
    payload,
    providerData: providerData.data,
    startParam,
  });
}

// Source: core.telegram.org/bots/api, sendInvoice.
function hasShortTexts({ title, description, providerData, ...others }: InputMediaInvoice): boolean {
  return (
    title.length <= TITLE_MAX &&
    description.length <= DESCRIPTION_MAX &&
    providerData.data.length <= PROVIDER_DATA_MAX &&
    JSON.stringify(others).length <= JSON_LENGTH_MAX
  );
}

function beginsWithBuy(keyboard: TlJson<tl.TypeReplyMarkup>): boolean {
  if (keyboard._ !== 'replyInlineMarkup') return false;
  return keyboard.rows[0]?.buttons[0]?._ === 'keyboardButtonBuy';
}

function checkAmounts({ currency, prices, maxTipAmount, suggestedTipAmounts = [] }: Invoice): void {
  const total = prices.reduce((sum, { amount }) => sum + BigInt(amount), 0n);
  const maxTip = BigInt(maxTipAmount ?? 0);
  const tips = suggestedTipAmounts.map(BigInt);
  const rising = tips.every((tip, i) => tip > (tips[i - 1] ?? 0n) && tip <= maxTip);
  const fits = total > 0n && total <= TOTAL_MAX && maxTip >= 0n && maxTip <= TOTAL_MAX;
  if (!CURRENCY.test(currency) || prices.length === 0 || !fits || tips.length > TIPS_MAX || !rising)
    throw new MessengerError('CURRENCY_TOTAL_AMOUNT_INVALID');
}

// The largest tip and the suggested tips are shown together or not at all.
function withWholeTips(invoice: Invoice): Invoice {
  const { maxTipAmount, suggestedTipAmounts } = invoice;
  if (maxTipAmount === undefined && suggestedTipAmounts === undefined) return invoice;
  return { ...invoice, maxTipAmount: maxTipAmount ?? '0', suggestedTipAmounts: suggestedTipAmounts ?? [] };
}

function readPhoto(photo: TlJson<tl.TypeInputWebDocument>): TlJson<tl.RawWebDocument> {
  const { url, size, mimeType, attributes } = photo;
  if (url === '') throw new MessengerError('WEBDOCUMENT_URL_EMPTY');
  if (!isHttpUrl(url)) throw new MessengerError('WEBDOCUMENT_URL_INVALID');
  if (!mimeType.startsWith('image/')) throw new MessengerError('WEBDOCUMENT_MIME_INVALID');
  return {
    _: 'webDocument',
    url,
    accessHash: randomLong(),
    size,
    mimeType,
    attributes,
  };
}

function isHttpUrl(text: string): boolean {
  return /^https?:$/.test(parseUrl(text, URL_MAX)?.protocol ?? '');
}
