import * as z from 'zod';

const CONTROL_CHARACTER = /[\p{Cc}\p{Cs}]/u;

/** For `refine`: refuses what is no Unicode text. As bytes all halves of characters are the same sign. */
export const WELL_FORMED = [
  (text: string) => text.isWellFormed(),
  'Halves of characters are not allowed',
] as const;

/** A name for people, trimmed. */
export const name = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .refine(
    (text) => !CONTROL_CHARACTER.test(text),
    'Control characters and halves of characters are not allowed',
  )
  .describe('A name for people; surrounding white space is removed');

/** A text for people of so many characters, trimmed. */
export function note(max: number) {
  return z
    .string()
    .trim()
    .max(max)
    .refine(...WELL_FORMED);
}

/** An id in a body. It need not exist. */
export const reference = z.string().min(1).max(100);
