/** The limits of Telegram's rich messages. Source: core.telegram.org/bots/api, rich messages. */
export const CHARACTERS_MAX = 32_768;
export const BLOCKS_MAX = 500;
export const DEPTH_MAX = 16;
export const MEDIA_MAX = 50;

/** How many blocks and pieces of text a rich message may be made of: with a piece for every character it would fill no commit. */
export const PIECES_MAX = 16_384;
