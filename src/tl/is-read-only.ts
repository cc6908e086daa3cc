const READING = /^(get|check|search|resolve|find|export|load|report(?=Missing)|is)[A-Z]?/;

// They are named like reads but leave something behind.
const WRITING = new Set([
  'messages.getMessagesViews',
  'messages.exportChatInvite',
  'channels.exportMessageLink',
]);

/** Whether a method only looks at things, as far as its name tells. */
export function isReadOnly(method: string): boolean {
  return READING.test(method.slice(method.indexOf('.') + 1)) && !WRITING.has(method);
}
