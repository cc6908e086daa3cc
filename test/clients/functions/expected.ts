/** Functions that need no answer of a service, or ask for one that no account has: a login. */
export const LOCAL: Record<string, string> = {
  isSelfPeer: 'asks nothing',
  signInQr: 'waits for another device',
  start: 'logs in by the functions that are used here',
  startTest: 'logs in to test servers',
  unsaveMusicFromProfile: 'needs a file that saveMusicToProfile has saved',
};

const TODO = 'Nobody has the Premium that to-do lists need.';
const STARS = 'Nothing is paid with Stars';
// As the specification has it.
const FORWARD = 'What a method answers with `updatesTooLong`, as `messages.forwardMessages` does';

/** Functions that work otherwise than with Telegram, and what docs/methods.md says of it. */
export const DIFFERENT: Record<string, string> = {
  appendTodoList: TODO,
  buyResaleGift: STARS,
  forwardMessages: FORWARD,
  forwardMessagesById: FORWARD,
  prepayStarGiftUpgrade: STARS,
  sendStarGift: STARS,
  toggleTodoCompleted: TODO,
  upgradeStarGift: STARS,
};
