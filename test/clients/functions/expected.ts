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
  appendTodoList: 'only accounts with Premium make to-do lists',
  buyResaleGift: STARS,
  forwardMessages: 'the specification has messages.forwardMessages answer updatesTooLong',
  forwardMessagesById: 'the specification has messages.forwardMessages answer updatesTooLong',
  prepayStarGiftUpgrade: STARS,
  sendStarGift: STARS,
  toggleTodoCompleted: 'only accounts with Premium make to-do lists',
  upgradeStarGift: STARS,
};
