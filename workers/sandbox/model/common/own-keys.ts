import { messagesKey } from '../boxes/keys.ts';
import { joinedKey } from '../chats/keys.ts';
import { dialogsKey, unreadKey } from '../conversations/keys.ts';
import { giftMessagesKey } from '../gifts/keys.ts';
import { callRandomKey } from '../group-calls/keys.ts';
import { passkeysKey } from '../passkeys/keys.ts';
import { receiptsKey, requestedInfoKey } from '../payments/keys.ts';
import { blocksKey, contactsKey, eventsKey } from '../people/keys.ts';
import { privacyKey } from '../privacy/keys.ts';
import { storiesKey } from '../stories/keys.ts';
import { installedKey, ownThemesKey } from '../themes/keys.ts';
import { userBox } from './keys.ts';

/** A key and its type: hash, sorted set or set. */
type OwnKey = [name: string, type: 'h' | 'z' | 's'];

/** The keys that hold what is one user's own and nobody else's, but for the parts of its conversations: a reset removes them. */
export function ownKeysOf(userId: number): OwnKey[] {
  const box = userBox(userId);
  return [
    [messagesKey(box), 'h'],
    [dialogsKey(userId), 'z'],
    [eventsKey(userId), 'z'],
    [unreadKey(userId), 'h'],
    [contactsKey(userId), 'h'],
    [blocksKey(userId), 'h'],
    [privacyKey(userId), 'h'],
    [callRandomKey(userId), 'h'],
    [joinedKey(userId), 's'],
    [receiptsKey(userId), 'h'],
    [requestedInfoKey(userId), 'h'],
    [storiesKey(box), 'h'],
    [ownThemesKey(userId), 'z'],
    [installedKey(userId), 's'],
    [giftMessagesKey(userId), 'h'],
    [passkeysKey(userId), 'h'],
  ];
}
