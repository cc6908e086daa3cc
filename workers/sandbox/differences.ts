/** Where the sandbox knowingly differs from Telegram in all methods. */
export const generalDifferences: readonly string[] = [
  'A call is asked to wait (`FLOOD_WAIT_n`) only if a fault says so, or beyond a limit of the sandbox itself.',
  'Any `accessHash` is accepted; `inputPeerEmpty`, `inputUserEmpty` and `inputChannelEmpty` stand for seeded peers; the id 1 stands for the seeded basic group and for its ended call. With `"strictPeers": true` an account gets the errors for all of this that Telegram gives.',
  'Users, groups and channels belong to one workspace; nobody else is there. What a method answers with `updatesTooLong`, as `messages.forwardMessages` does, is on the update stream.',
  'Bots may call what is `BOT_METHOD_INVALID` with Telegram, and see all messages of their groups.',
  'Nothing is paid with Stars, as there are none. Nobody has the Premium that to-do lists need.',
  'Messages are sent as the account itself: another `sendAs` is `SEND_AS_PEER_INVALID`, also for anonymous administrators.',
  'Basic groups and channels have at most 90 members. In a basic group only the creator is an administrator.',
  'Unless a method says otherwise, a `limit` of 0 gives nothing; below 0 it is `LIMIT_INVALID`. A page has at most 100 items, and 4 MiB of messages.',
  'A call changes what fits one commit (500 writes, 1 MiB). It says what it left, or refuses what cannot be done in parts.',
  'A new name, status, command or menu button is told to the users of the 100 latest conversations.',
  '`scheduleDate` 0x7ffffffe (once the recipient is online) is refused with `SCHEDULE_STATUS_PRIVATE`. An account sees only its own scheduled messages, also in channels, and cannot edit them.',
];
