import { expect, test } from 'vitest';
import { streamCursor } from '../../../src/api/updates/stream-cursor.ts';

const NOW = Date.UTC(2026, 0, 1);
const PRESENT = (NOW - Date.UTC(2024, 9, 9)) / 20_000;

test.each([undefined, '', 'nonsense', '-1', '0', '1e9', '99999999999999999'])(
  '%j gets the present interval',
  (given) => {
    expect(streamCursor(given, NOW)).toBe(String(Math.floor(PRESENT)));
  },
);

test('whoever has the present interval, or a later one, gets a later one still', () => {
  for (const known of [Math.floor(PRESENT), Math.floor(PRESENT) + 5_000]) {
    for (let count = 0; count < 100; count++) {
      expect(Number(streamCursor(String(known), NOW))).toBeGreaterThan(known);
    }
  }
});
