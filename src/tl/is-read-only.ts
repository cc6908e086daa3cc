const READING = /^(get|check|search|resolve|find|export|load|report(?=Missing)|is)[A-Z]?/;

// Methods that are named like reads but write.
const WRITING = new Set([
  'messages.getBotCallbackAnswer',
  'messages.getMessagesViews',
  'messages.exportChatInvite',
  'channels.exportMessageLink',
]);

/** Whether a method only reads, judged by its name. */
export function isReadOnly(method: string): boolean {
  return READING.test(method.slice(method.indexOf('.') + 1)) && !WRITING.has(method);
}
