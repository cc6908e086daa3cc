/** The limits of Telegram's rich messages. Source: core.telegram.org/bots/api, rich messages. */
export const CHARACTERS_MAX = 32_768;
export const BLOCKS_MAX = 500;
/** The most blocks in each other, and the most formats of a text. */
export const DEPTH_MAX = 16;
export const MEDIA_MAX = 50;

/** The most users that are mentioned by their ids or given; each is looked up. */
export const NAMED_MAX = 100;

/** The most characters of an address, a language or the like, which are no text. */
export const MEMBER_MAX = 2_048;

/** The most characters of all these and all texts together, as one address may be said again and again. No message has more as JSON. */
export const STRINGS_MAX = 900_000;

/** The most blocks and pieces of text in a rich message: with a piece for every character, it would not fit a commit. */
export const PIECES_MAX = 16_384;
