import type { tl } from '@mtcute/core';
import type { TlJson } from '../../../../src/tl/tl-json.ts';
import type { TlMessage } from './messages.ts';

type Filter = TlJson<tl.TypeMessagesFilter>['_'];
type Message = Extract<TlMessage, { _: 'message' }>;
type Service = Extract<TlMessage, { _: 'messageService' }>;
type Media = NonNullable<Message['media']>;
type Attribute = TlJson<tl.TypeDocumentAttribute>['_'];

/** Whether a message passes a search's filter. */
export function passesFilter(filter: Filter, message: TlMessage): boolean {
  if (filter === 'inputMessagesFilterEmpty') return true;
  if (filter === 'inputMessagesFilterMyMentions') return message.mentioned === true;
  if (message._ === 'messageService') return ACTIONS[filter] === message.action._;
  if (filter === 'inputMessagesFilterPinned') return message.pinned === true;
  if (filter === 'inputMessagesFilterUrl') return hasLink(message);
  return message.media !== undefined && (MEDIA[filter]?.(message.media) ?? false);
}

/**
 * Whether a message was sent after the first date and before the second, each not itself; 0 is no bound. Source:
 * core.telegram.org/method/messages.search.
 */
export function isSentBetween(
  { date }: TlMessage,
  { minDate, maxDate }: { minDate: number; maxDate: number },
): boolean {
  return (minDate <= 0 || date > minDate) && (maxDate <= 0 || date < maxDate);
}

/**
 * The most characters of a query. V8's string search knows the last 250 characters of a pattern: once more of a longer one have matched, it
 * may move on by a single character.
 */
export const QUERY_MAX = 250;

/**
 * Returns a test whether every word of a query is a prefix of a word of a message, regardless of case. A query without words, such as an
 * emoji, has to be in the message as it is; an empty one is in every message.
 */
export function toTextMatcher(query: string): (message: TlMessage) => boolean {
  const wanted = new Set(wordsOf(query));
  const lengths = [...new Set([...wanted].map(({ length }) => length))];
  const signs = query.trim();
  return (message) => {
    if (signs === '') return true;
    if (message._ !== 'message') return false;
    if (wanted.size === 0) return message.message.includes(signs);
    // Look at each word of the text once for each length of a wanted word. Searching the text for every wanted word would take longer with
    // each of them.
    const missing = new Set(wanted);
    for (const word of new Set(wordsOf(message.message))) {
      for (const length of lengths) if (length <= word.length) missing.delete(word.slice(0, length));
      if (missing.size === 0) return true;
    }
    return false;
  };
}

const ACTIONS: Partial<Record<Filter, Service['action']['_']>> = {
  inputMessagesFilterChatPhotos: 'messageActionChatEditPhoto',
  inputMessagesFilterPhoneCalls: 'messageActionPhoneCall',
};

const isPhoto = ({ _ }: Media) => _ === 'messageMediaPhoto';
const isVoice = (media: Media) => media._ === 'messageMediaDocument' && media.voice === true;
const isRound = (media: Media) => media._ === 'messageMediaDocument' && media.round === true;
const isGif = (media: Media) => attributesOf(media).has('documentAttributeAnimated');
// A sticker or custom emoji may be a short video, and is found by no filter for media.
const isSticker = (media: Media) =>
  attributesOf(media).has('documentAttributeSticker') ||
  attributesOf(media).has('documentAttributeCustomEmoji');
const isVideo = (media: Media) =>
  attributesOf(media).has('documentAttributeVideo') && ![isRound, isGif, isSticker].some((is) => is(media));
const isMusic = (media: Media) => attributesOf(media).has('documentAttributeAudio') && !isVoice(media);

const MEDIA: Partial<Record<Filter, (media: Media) => boolean>> = {
  inputMessagesFilterPhotos: isPhoto,
  inputMessagesFilterVideo: isVideo,
  inputMessagesFilterPhotoVideo: (media) => isPhoto(media) || isVideo(media),
  inputMessagesFilterDocument: (media) =>
    media._ === 'messageMediaDocument' &&
    ![isVideo, isVoice, isRound, isGif, isMusic, isSticker].some((isOther) => isOther(media)),
  inputMessagesFilterGif: isGif,
  inputMessagesFilterVoice: isVoice,
  inputMessagesFilterMusic: isMusic,
  inputMessagesFilterRoundVoice: (media) => isVoice(media) || isRound(media),
  inputMessagesFilterRoundVideo: isRound,
  inputMessagesFilterGeo: ({ _ }) => _ === 'messageMediaGeo' || _ === 'messageMediaGeoLive',
  inputMessagesFilterContacts: ({ _ }) => _ === 'messageMediaContact',
  inputMessagesFilterPoll: ({ _ }) => _ === 'messageMediaPoll',
};

function attributesOf(media: Media): Set<Attribute> {
  const document = media._ === 'messageMediaDocument' ? media.document : undefined;
  return new Set(document?._ === 'document' ? document.attributes.map(({ _ }) => _) : []);
}

function hasLink({ entities }: Message): boolean {
  return entities?.some(({ _ }) => _ === 'messageEntityUrl' || _ === 'messageEntityTextUrl') === true;
}

// A vowel sign belongs to the word that it follows.
function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}_][\p{L}\p{M}\p{N}_]*/gu) ?? [];
}
