/** Where the sandbox knowingly differs from Telegram whatever the method. */
export const generalDifferences: readonly string[] = [
  'Nobody is asked to wait (`FLOOD_WAIT_n`) unless a fault says so.',
  'Any `accessHash` is accepted, `inputPeerEmpty`, `inputUserEmpty` and `inputChannelEmpty` stand for seeded things, and 1 is the id of the seeded basic group and of its ended call; an account made with `"strictPeers": true` is refused all of this as Telegram does.',
  'Users, groups and channels belong to one workspace; nobody else is there.',
  'Basic groups and channels have at most 90 members, and in a basic group only its creator administers.',
  'A `limit` of a method is 0 for no items, at most 100, and `LIMIT_INVALID` below 0; a page of messages ends at 4 MiB.',
  'A message that waits until its recipient is online (`scheduleDate` 0x7ffffffe) is `SCHEDULE_STATUS_PRIVATE`; an account sees only its own scheduled messages, also in channels, and cannot edit them.',
  'A call changes what fits one commit (500 writes, 1 MiB); it says what it left, or refuses what cannot be done in parts.',
];
