import { expect, it } from 'vitest';
import { visible, visibleJson, visibleLine } from '../../../src/cli/terminal/visible.ts';

const TRICKS = 'a\u001b[2J\u009bm\u202eb\u2066c\u200f\nd';

it('a text of others has no characters that a terminal obeys', () => {
  expect(visible(TRICKS)).toBe('a [2J m b c \nd');
  expect(visibleLine(TRICKS)).toBe('a [2J m b c  d');
});

it('JSON has them escaped, and reads as the same', () => {
  const text = visibleJson({ [TRICKS]: [TRICKS, 'é 😀'] });
  expect(text).not.toMatch(/[\p{Cc}\p{Bidi_C}]/u);
  expect(text).toContain('é 😀');
  expect(JSON.parse(text)).toEqual({ [TRICKS]: [TRICKS, 'é 😀'] });
});
