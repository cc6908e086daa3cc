/**
 * Every key of a workspace's sandbox messenger. `U` is a user id, `C` a channel id, `G` a basic group id; a box is `uU` (an
 * account's private chats and basic groups) or `cC` (a channel); a peer key is `uU`, `gG` or `cC`; a thread is a part of a
 * conversation: `tN` a forum's topic, `uU`, `gG` or `cC` in the own chat what was saved from that peer, in a monoforum the talk
 * with that user. Key names are made of ids that are known when the call runs, never of a counter's placeholder: ids of users,
 * basic groups and channels come from `takeIds`, that of a topic's first message from `takeMessageId`.
 *
 *   seq                 hash: counters. `user`, `chat`, `channel`: how many ids are given, or passed over; `copies`: last copy set;
 *                       `msg:<box>`: last message id; `pts:<box>`: pts of an account or a channel;
 *                       `unread:U:<peer>`: how many messages of a conversation U has not read;
 *                       `collectible`: as ids; `issued`: how many collectible gifts were made; `gift`, `resale`: places in the order
 *                       gifts came in and were priced in
 *   users               hash: U -> UserRecord; `U:furnished` -> Seeded, of an account; `U:V` of every user V whom U has blocked
 *   usernames           hash: lower-case username -> peer key
 *   accounts            hash: messenger account id -> U
 *   contacts:U          hash: user id -> ContactRecord, of each contact of U
 *   blocks:U            hash: user id -> date, of every user whom U has blocked
 *   privacy:U           hash: privacy key (`chatInvite`) -> its rules, where U has changed them
 *   chats               hash: G -> ChatRecord
 *   channels            hash: C -> ChannelRecord
 *   members:C           hash: U -> MemberRecord
 *   joined:U            set: C of every channel the user is in
 *   messages:<box>      hash: message id -> StoredMessage
 *   copies              hash: copy set -> { box: message id } of the copies of one message of a basic group
 *   history:U:<peer>    sorted set: message ids of one dialog in an account's box, by id; `:<thread>` for those of a thread
 *   history:cC          sorted set: message ids of a channel, by id; `:<thread>` for those of a thread
 *   topics:C            hash: topic id -> TopicRecord, but for the general topic
 *   threads:<box>:<peer> sorted set: threads of a conversation, by the date of the last message
 *   dialogs:U           sorted set: peer keys, by the date of the last message
 *   unread:U            hash: `read:<peer>` and `seen:<peer>` -> max id read by the account, and by the other side, or for a thread
 *                       `read:<peer>:<thread>`; `<peer>:<thread>` -> number of unread messages of a thread
 *   sent:U:<peer>       sorted set: ids of messages that U itself sent to a conversation, by id; `:<thread>` for those of a thread
 *   mentions:U:<peer>   sorted set: ids of messages with an unread mention of U, by id; `:<thread>` for those of a thread
 *   consumed:C          set: `U:<message id>` of a voice message or video of a channel that U has heard or seen
 *   forwards:cC:N       sorted set: `<channel>:<message id>` of public channels that post N of channel C was forwarded to, by date
 *   polls               hash: poll id P -> PollRecord
 *   votes:P             hash: U -> Vote
 *   tally:P             hash: option -> how many chose it; `voters`; `turn`: how often a vote changed
 *   voters:P            sorted set: U of who voted, by date
 *   new-votes:P         set: U whose vote the poll's creator has not seen
 *   poll-votes:U:<peer> sorted set: ids of the messages of U's polls with votes U has not seen; `:<thread>` for those of a thread
 *   viewed:C            set: `U:<message id>` of a post that U has viewed
 *   views:C             hash: message id -> views beyond the author's own; `<message id>:<day>` for those of a day
 *   reactions:<target>  hash: U -> GivenReactions, to a message: `xN` by its copy set, `cC:N` in a channel, in a private chat `uU:N` by
 *                       the sender and the sender's id of it
 *   reacted:C           set: ids of the channel's messages that somebody reacted to
 *   reaction-days:cC:N  hash: `<day>:<emoji>` -> reactions of that day
 *   sponsored           hash: peer key of a channel or bot -> SponsoredRecord
 *   sponsored-ids       hash: randomId of a sponsored message -> peer key
 *   sponsored-counts    hash: `views:<randomId>` and `clicks:<randomId>`
 *   events:U            sorted set: updates of an account that are no new message, by their pts; kept for a month after the last
 *   random:U:<day>      hash: randomId of a message the user sent that day -> its id, but for those that nobody else knows; `expires`
 *                       once it is sure to go; kept for 49 hours after that
 *   files:U:F           hash: part number -> base64, of an uploaded file
 *   sizes:U:F           hash: part number -> bytes; `saves` so far; `claimed` once a message refers to the file
 *   documents           hash: document id -> DocumentRecord
 *   payment-profiles    hash: U -> PaymentProfile
 *   invoices            hash: invoice id -> InvoiceRecord
 *   receipts:U          hash: id of the service message by which U paid, in U's box -> ReceiptRecord
 *   requested-info:U    hash: id -> ValidatedInfo; kept for a day after the last
 *   group-calls         hash: group call id K -> GroupCallRecord
 *   active-calls        hash: peer key, or `live:<peer>` for the live story of a peer -> K of the call that has not ended
 *   call-random:U       hash: randomId by which U created a group call -> K; kept for two days after the last
 *   call-counts:K       hash: counters. `version`, `participants`, `videos`, `joined` (joins so far)
 *   call-participants:K hash: peer key -> ParticipantRecord
 *   call-order:K        sorted set: peer keys of the participants, by the number of their join
 *   call-sources:K      hash: source of a participant's sound, or `by:U` -> peer key it appears as
 *   call-settings:K     hash: `U:<peer>` -> ParticipantSetting, of what U did to a participant for itself alone
 *   rtmp-keys           hash: peer key, or `live:<peer>` -> stream key
 *   stories:<box>       hash: story id -> StoryRecord; `seq` counts them as `story:<box>`
 *   themes              hash: theme id T -> ThemeRecord
 *   theme-slugs         hash: lower-case slug -> T
 *   theme-installs      hash: T -> number of accounts that installed it
 *   theme-users:T       set: U of everybody who has the theme in its list
 *   themes:U            sorted set: T of every theme in the user's list, by the time it came there
 *   installed:U         set: T of every theme the user has ever installed
 *   passkeys:U          hash: credential id -> PasskeyRecord
 *   passkey-owners      hash: credential id -> U
 *   passkey-challenges  hash: U -> PasskeyChallenge, of who ever asked for one
 *   gifts               hash: gift id -> GiftRecord, of every star gift somebody owns
 *   collectibles        hash: number of a collectible gift -> its gift id
 *   gift-messages:U     hash: id of a message in U's box -> gift id, of the gifts U owns
 *   owned-gifts:<peer>:<order> sorted set: gift ids, `came` in the order they came, `value` by worth, `themes` as they came, but
 *                       only those that can be chat themes
 *   gift-kinds:<peer>   hash: kind of a gift -> how many of them the peer owns
 *   resale:<type>:<order> sorted set: gift ids of a type on resale, by `price`, by `number`, and `changed` by when the price was
 *                       last changed
 *   resale-looks:<type> hash: `<model>:<pattern>:<backdrop>` -> how many gifts that look like that are on resale
 *   faults              hash: messenger account id -> what is to be injected
 */
export const SEQ = 'seq';
export const USERS = 'users';
export const USERNAMES = 'usernames';
export const ACCOUNTS = 'accounts';
export const CHATS = 'chats';
export const CHANNELS = 'channels';
export const COPIES = 'copies';
export const DOCUMENTS = 'documents';
export const PAYMENT_PROFILES = 'payment-profiles';
export const INVOICES = 'invoices';
export const GROUP_CALLS = 'group-calls';
export const ACTIVE_CALLS = 'active-calls';
export const RTMP_KEYS = 'rtmp-keys';
export const THEMES = 'themes';
export const THEME_SLUGS = 'theme-slugs';
export const THEME_INSTALLS = 'theme-installs';
export const PASSKEY_OWNERS = 'passkey-owners';
export const PASSKEY_CHALLENGES = 'passkey-challenges';
export const GIFTS = 'gifts';
export const COLLECTIBLES = 'collectibles';
export const POLLS = 'polls';
export const SPONSORED = 'sponsored';
export const SPONSORED_IDS = 'sponsored-ids';
export const SPONSORED_COUNTS = 'sponsored-counts';
export const FAULTS = 'faults';

export type UserBox = `u${number}`;
export type ChannelBox = `c${number}`;
export type Box = UserBox | ChannelBox;
export type PeerKey = `u${number}` | `g${number}` | `c${number}`;
export type Thread = `t${number}` | PeerKey;

export function userBox(userId: number): UserBox {
  return `u${userId}`;
}

export function channelBox(channelId: number): ChannelBox {
  return `c${channelId}`;
}

export function messagesKey(box: Box): string {
  return `messages:${box}`;
}

/** The dialog of a user with a peer, or a thread of it; a channel has one history for all. */
export function historyKey(userId: number, peer: PeerKey, thread?: Thread): string {
  const dialog = peer.startsWith('c') ? `history:${peer}` : `history:${userId}:${peer}`;
  return thread === undefined ? dialog : `${dialog}:${thread}`;
}

export function threadsKey(box: Box, peer: PeerKey): string {
  return `threads:${box}:${peer}`;
}

export function topicsKey(channelId: number): string {
  return `topics:${channelId}`;
}

/** What a user itself sent to a conversation, or to a thread of it. */
export function sentKey(userId: number, peer: PeerKey, thread?: Thread): string {
  return thread === undefined ? `sent:${userId}:${peer}` : `sent:${userId}:${peer}:${thread}`;
}

export function mentionsKey(userId: number, peer: PeerKey, thread?: Thread): string {
  return thread === undefined ? `mentions:${userId}:${peer}` : `mentions:${userId}:${peer}:${thread}`;
}

export function consumedKey(channelId: number): string {
  return `consumed:${channelId}`;
}

export function forwardsKey({ channelId, msgId }: { channelId: number; msgId: number }): string {
  return `forwards:c${channelId}:${msgId}`;
}

/** What is known of the votes in a poll. */
export function pollKey(kind: 'votes' | 'tally' | 'voters' | 'new-votes', pollId: string): string {
  return `${kind}:${pollId}`;
}

export function pollVotesKey(userId: number, peer: PeerKey, thread?: Thread): string {
  return thread === undefined ? `poll-votes:${userId}:${peer}` : `poll-votes:${userId}:${peer}:${thread}`;
}

export function viewedKey(channelId: number): string {
  return `viewed:${channelId}`;
}

export function viewsKey(channelId: number): string {
  return `views:${channelId}`;
}

/** A message that can be reacted to: all copies of one in a basic group or a private chat, or that of a channel. */
export type ReactionTarget = `x${number}` | `${Box}:${number}`;

export function reactionsKey(target: ReactionTarget): string {
  return `reactions:${target}`;
}

export function reactedKey(channelId: number): string {
  return `reacted:${channelId}`;
}

export function reactionDaysKey({ channelId, msgId }: { channelId: number; msgId: number }): string {
  return `reaction-days:c${channelId}:${msgId}`;
}

export function eventsKey(userId: number): string {
  return `events:${userId}`;
}

export function dialogsKey(userId: number): string {
  return `dialogs:${userId}`;
}

export function unreadKey(userId: number): string {
  return `unread:${userId}`;
}

export function contactsKey(userId: number): string {
  return `contacts:${userId}`;
}

export function blocksKey(userId: number): string {
  return `blocks:${userId}`;
}

export function privacyKey(userId: number): string {
  return `privacy:${userId}`;
}

export function membersKey(channelId: number): string {
  return `members:${channelId}`;
}

export function joinedKey(userId: number): string {
  return `joined:${userId}`;
}

export function randomKey(userId: number, day: number): string {
  return `random:${userId}:${day}`;
}

export function fileKey(userId: number, fileId: string): string {
  return `files:${userId}:${fileId}`;
}

export function fileSizesKey(userId: number, fileId: string): string {
  return `sizes:${userId}:${fileId}`;
}

export function receiptsKey(userId: number): string {
  return `receipts:${userId}`;
}

export function requestedInfoKey(userId: number): string {
  return `requested-info:${userId}`;
}

export function callRandomKey(userId: number): string {
  return `call-random:${userId}`;
}

export function callCountsKey(callId: string): string {
  return `call-counts:${callId}`;
}

export function callParticipantsKey(callId: string): string {
  return `call-participants:${callId}`;
}

export function callOrderKey(callId: string): string {
  return `call-order:${callId}`;
}

export function callSourcesKey(callId: string): string {
  return `call-sources:${callId}`;
}

export function callSettingsKey(callId: string): string {
  return `call-settings:${callId}`;
}

export function storiesKey(box: Box): string {
  return `stories:${box}`;
}

export function themeUsersKey(themeId: string): string {
  return `theme-users:${themeId}`;
}

export function ownThemesKey(userId: number): string {
  return `themes:${userId}`;
}

export function installedKey(userId: number): string {
  return `installed:${userId}`;
}

export function passkeysKey(userId: number): string {
  return `passkeys:${userId}`;
}
