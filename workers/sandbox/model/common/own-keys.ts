import { giftMessagesKey } from '../gifts/gift-keys.ts';
import {
  blocksKey,
  callRandomKey,
  contactsKey,
  dialogsKey,
  eventsKey,
  installedKey,
  joinedKey,
  messagesKey,
  ownThemesKey,
  passkeysKey,
  privacyKey,
  receiptsKey,
  requestedInfoKey,
  storiesKey,
  unreadKey,
  userBox,
} from './state-keys.ts';

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
