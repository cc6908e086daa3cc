import { fromString, getType, toUUID } from 'typeid-js';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { isId } from '../../src/ids.ts';

afterEach(() => vi.restoreAllMocks());

describe('newId', () => {
  it('makes TypeIDs of the kind, with a UUID of version 7 that carries the time', async () => {
    // Other tests with clocks of their own may have made ids of later times.
    vi.resetModules();
    const { newId } = await import('../../src/ids.ts');
    for (let i = 0; i < 1_000; i += 1) {
      const before = Date.now();
      const id = newId('call');
      expect(isId('call', id)).toBe(true);
      const typeId = fromString(id);
      expect(getType(typeId)).toBe('call');
      const uuid = toUUID(typeId);
      expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      const ms = Number.parseInt(uuid.replaceAll('-', '').slice(0, 12), 16);
      expect(ms).toBeGreaterThanOrEqual(before);
      expect(ms).toBeLessThanOrEqual(Date.now() + 100);
    }
  });

  it('gives each a greater one, however many in a millisecond and when the clock goes back', async () => {
    // Those that other tests make later are not to be ahead.
    vi.resetModules();
    const { newId } = await import('../../src/ids.ts');
    const start = Date.now() - 60_000;
    const clock = vi.spyOn(Date, 'now').mockReturnValue(start);
    const ids = Array.from({ length: 20_000 }, () => newId('call'));
    clock.mockReturnValue(start - 5_000);
    ids.push(...Array.from({ length: 100 }, () => newId('call')));
    expect(ids).toEqual([...new Set(ids)].sort());
  });

  it('follows a clock that was far ahead and is set back', async () => {
    vi.resetModules();
    const { newId, timeOfId } = await import('../../src/ids.ts');
    const clock = vi.spyOn(Date, 'now').mockReturnValue(2_000_000_000_000);
    newId('call');
    clock.mockReturnValue(1_900_000_000_000);
    expect(timeOfId(newId('call'))).toBe(1_900_000_000_000);
  });
});
