import { expect, it } from 'vitest';
import { cutText } from '../../../workers/sandbox/model/common/cut-text.ts';

it.each([
  ['as it is', ' Weekend trip ', 'Weekend trip'],
  ['before an emoji that has no room', `${'a'.repeat(15)}👋`, 'a'.repeat(15)],
  ['after an emoji that has room', `${'a'.repeat(14)}👋b`, `${'a'.repeat(14)}👋`],
  ['without a space at its end', `${'a'.repeat(15)} b`, 'a'.repeat(15)],
  ['with a sign for half an emoji that was given', `a\ud83d`, 'a\ufffd'],
])('stores a text %s', (_, given, stored) => {
  expect(cutText(given, 16)).toBe(stored);
});
