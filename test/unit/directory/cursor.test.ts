import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CursorSealer, type Position } from '../../../src/directory/cursor.ts';

const sealer = new CursorSealer(Buffer.from('a secret of some length'));
const position = fc.record<Position>({
  side: fc.constantFrom('before', 'after'),
  id: fc.stringMatching(/^[a-z]{2,4}_[0-9a-z]{26}$/),
});

test('a cursor opens to the position it was made for', () => {
  fc.assert(
    fc.property(fc.string(), position, (list, place) => {
      expect(sealer.open(list, sealer.seal(list, place))).toEqual(place);
    }),
  );
});

test('a cursor fits only the list it was made for', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), position, (list, other, place) => {
      fc.pre(list !== other);
      expect(() => sealer.open(other, sealer.seal(list, place))).toThrow(/cursor/);
    }),
  );
});

test('a cursor of another secret is refused', () => {
  const other = new CursorSealer(Buffer.from('another secret of some length'));
  const cursor = other.seal('list', { side: 'after', id: 'org_1' });
  expect(() => sealer.open('list', cursor)).toThrow(/cursor/);
});

test('no character of a cursor can be changed, added or left out', () => {
  const cursor = sealer.seal('list', {
    side: 'after',
    id: 'org_01h455vb4pex5vsknk084sn02q',
  });
  const characters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/= .\u0000é';
  for (let at = 0; at <= cursor.length; at++) {
    for (const character of characters) {
      const altered = [
        cursor.slice(0, at) + character + cursor.slice(at),
        cursor.slice(0, at) + character + cursor.slice(at + 1),
        cursor.slice(0, at) + cursor.slice(at + 1),
      ];
      for (const text of altered) {
        if (text !== cursor) expect(() => sealer.open('list', text)).toThrow(/cursor/);
      }
    }
  }
});
