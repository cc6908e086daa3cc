import type { Method } from '../driver.ts';
import { getSupport } from './help/get-support.ts';
import { createChat } from './messages/create-chat.ts';
import { getHistory } from './messages/get-history.ts';
import { getMessages } from './messages/get-messages.ts';
import { getRichMessage } from './messages/get-rich-message.ts';
import { getUnreadMentions } from './messages/get-unread-mentions.ts';
import { readMentions } from './messages/read-mentions.ts';
import { readMessageContents } from './messages/read-message-contents.ts';
import { sendMedia } from './messages/send-media.ts';
import { sendMessage } from './messages/send-message.ts';
import { clearSavedInfo } from './payments/clear-saved-info.ts';
import { getPaymentForm } from './payments/get-payment-form.ts';
import { getPaymentReceipt } from './payments/get-payment-receipt.ts';
import { getSavedInfo } from './payments/get-saved-info.ts';
import { getStarsRevenueAdsAccountUrl } from './payments/get-stars-revenue-ads-account-url.ts';
import { sendPaymentForm } from './payments/send-payment-form.ts';
import { validateRequestedInfo } from './payments/validate-requested-info.ts';
import { getFile } from './upload/get-file.ts';
import { saveFilePart } from './upload/save-file-part.ts';
import { getUsers } from './users/get-users.ts';

/** The methods the sandbox executes. */
export type ExecutedMethod =
  | 'help.getSupport'
  | 'messages.createChat'
  | 'messages.getHistory'
  | 'messages.getMessages'
  | 'messages.getRichMessage'
  | 'messages.getUnreadMentions'
  | 'messages.readMentions'
  | 'messages.readMessageContents'
  | 'messages.sendMedia'
  | 'messages.sendMessage'
  | 'payments.clearSavedInfo'
  | 'payments.getPaymentForm'
  | 'payments.getPaymentReceipt'
  | 'payments.getSavedInfo'
  | 'payments.getStarsRevenueAdsAccountUrl'
  | 'payments.sendPaymentForm'
  | 'payments.validateRequestedInfo'
  | 'upload.getFile'
  | 'upload.saveFilePart'
  | 'users.getUsers';

/** Every executed method under its name: one that is missing or returns another shape does not compile. */
export const methods: { readonly [Name in ExecutedMethod]: Method<Name> } = {
  'help.getSupport': getSupport,
  'messages.createChat': createChat,
  'messages.getHistory': getHistory,
  'messages.getMessages': getMessages,
  'messages.getRichMessage': getRichMessage,
  'messages.getUnreadMentions': getUnreadMentions,
  'messages.readMentions': readMentions,
  'messages.readMessageContents': readMessageContents,
  'messages.sendMedia': sendMedia,
  'messages.sendMessage': sendMessage,
  'payments.clearSavedInfo': clearSavedInfo,
  'payments.getPaymentForm': getPaymentForm,
  'payments.getPaymentReceipt': getPaymentReceipt,
  'payments.getSavedInfo': getSavedInfo,
  'payments.getStarsRevenueAdsAccountUrl': getStarsRevenueAdsAccountUrl,
  'payments.sendPaymentForm': sendPaymentForm,
  'payments.validateRequestedInfo': validateRequestedInfo,
  'upload.getFile': getFile,
  'upload.saveFilePart': saveFilePart,
  'users.getUsers': getUsers,
};
