// An export makes a link or a token.
const READING = /^(get|check|search|resolve|find|load|is)(?![a-z])/;

// Methods that are named like reads but write, or do so with one of their params.
const WRITING = new Set([
  'account.getTmpPassword',
  'auth.checkPassword',
  'channels.searchPosts',
  'contacts.getLocated',
  'messages.getBotCallbackAnswer',
  'messages.getMessagesViews',
  'payments.getStarsRevenueWithdrawalUrl',
  'payments.getStarGiftWithdrawalUrl',
  'phone.getGroupCallStreamRtmpUrl',
]);

/** Whether a method only reads, judged by its name. */
export function isReadOnly(method: string): boolean {
  return READING.test(method.slice(method.indexOf('.') + 1)) && !WRITING.has(method);
}
