import { expect, it } from 'vitest';
import { isReadOnly } from '../../../src/tl/is-read-only.ts';

it.each([
  'contacts.search',
  'messages.getHistory',
  'messages.getExportedChatInvites',
  'channels.checkUsername',
  'smsjobs.isEligibleToJoin',
  'stats.loadAsyncGraph',
])('%s only reads', (method) => {
  expect(isReadOnly(method)).toBe(true);
});

// Who repeats them without a key makes a second link, password or payment, or ends what the first one has made.
it.each([
  'messages.sendMessage',
  'messages.importChatInvite',
  'messages.exportChatInvite',
  'chatlists.exportChatlistInvite',
  'bots.exportBotToken',
  'auth.checkPassword',
  'auth.reportMissingCode',
  'account.getTmpPassword',
  'channels.searchPosts',
  'messages.getMessagesViews',
  'phone.getGroupCallStreamRtmpUrl',
])('%s writes', (method) => {
  expect(isReadOnly(method)).toBe(false);
});
