import type { Method } from '../driver.ts';
import { getSupport } from './help/get-support.ts';
import { createChat } from './messages/create-chat.ts';
import { getHistory } from './messages/get-history.ts';
import { getMessages } from './messages/get-messages.ts';
import { getUnreadMentions } from './messages/get-unread-mentions.ts';
import { readMentions } from './messages/read-mentions.ts';
import { readMessageContents } from './messages/read-message-contents.ts';
import { sendMedia } from './messages/send-media.ts';
import { sendMessage } from './messages/send-message.ts';
import { getSavedInfo } from './payments/get-saved-info.ts';
import { getFile } from './upload/get-file.ts';
import { saveFilePart } from './upload/save-file-part.ts';
import { getUsers } from './users/get-users.ts';

/** The methods the sandbox executes. */
export type ExecutedMethod =
  | 'help.getSupport'
  | 'messages.createChat'
  | 'messages.getHistory'
  | 'messages.getMessages'
  | 'messages.getUnreadMentions'
  | 'messages.readMentions'
  | 'messages.readMessageContents'
  | 'messages.sendMedia'
  | 'messages.sendMessage'
  | 'payments.getSavedInfo'
  | 'upload.getFile'
  | 'upload.saveFilePart'
  | 'users.getUsers';

/** Every executed method under its name: one that is missing or returns another shape does not compile. */
export const methods: { readonly [Name in ExecutedMethod]: Method<Name> } = {
  'help.getSupport': getSupport,
  'messages.createChat': createChat,
  'messages.getHistory': getHistory,
  'messages.getMessages': getMessages,
  'messages.getUnreadMentions': getUnreadMentions,
  'messages.readMentions': readMentions,
  'messages.readMessageContents': readMessageContents,
  'messages.sendMedia': sendMedia,
  'messages.sendMessage': sendMessage,
  'payments.getSavedInfo': getSavedInfo,
  'upload.getFile': getFile,
  'upload.saveFilePart': saveFilePart,
  'users.getUsers': getUsers,
};
