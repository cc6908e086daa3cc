/** Functions that need no answer of a service, or ask for one that no account has: a login. */
export const LOCAL: Record<string, string> = {
  isSelfPeer: 'asks nothing',
  signInQr: 'waits for another device',
  start: 'logs in by the functions that are used here',
  startTest: 'logs in to test servers',
  unsaveMusicFromProfile: 'needs a file that saveMusicToProfile has saved',
};

const STARS = 'nothing can be paid in Stars';

/** Functions that work otherwise than with Telegram, and why. */
export const DIFFERENT: Record<string, string> = {
  answerCallbackQuery: 'no such query has been asked',
  appendTodoList: 'there are no to-do lists',
  buyResaleGift: STARS,
  forwardMessages: 'the specification has messages.forwardMessages answer updatesTooLong',
  forwardMessagesById: 'the specification has messages.forwardMessages answer updatesTooLong',
  getCallbackAnswer: 'the message has no such button',
  iterReactionUsers: 'the pages of a message without reactions do not end',
  prepayStarGiftUpgrade: STARS,
  sendStarGift: STARS,
  toggleTodoCompleted: 'there are no to-do lists',
  upgradeStarGift: STARS,
};
