import { z } from 'zod';

const CONTROL_CHARACTER = /[\p{Cc}\p{Cs}]/u;

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
    .refine((text) => text.isWellFormed(), 'Halves of characters are not allowed');
}

/** An id in a body. It need not exist. */
export const reference = z.string().min(1).max(100);
