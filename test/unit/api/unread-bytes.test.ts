import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { UnreadBytes } from '../../../src/api/limits/unread-bytes.ts';

it('lets an organization hold as much as is left for all others', () => {
  const unread = new UnreadBytes(1_000);
  const [first, second, other] = [unread.join('a'), unread.join('a'), unread.join('b')];
  expect(first.reserve(400)).toBe(true);
  expect(second.reserve(201)).toBe(false);
  expect(second.reserve(200)).toBe(true);
  expect(other.reserve(401)).toBe(false);
  expect(other.reserve(400)).toBe(true);
  first.take();
  expect(unread.bytes).toBe(600);
  for (const reader of [first, second, other]) reader.leave();
  expect(unread.bytes).toBe(0);
});

it('counts what many hold together once', () => {
  const unread = new UnreadBytes(1_000);
  const readers = Array.from({ length: 20 }, () => unread.join('a'));
  const bytes = new Uint8Array(300);
  for (const reader of readers) {
    expect(reader.isHeld(bytes)).toBe(reader !== readers[0]);
    reader.hold(bytes);
  }
  expect(unread.bytes).toBe(300);
  for (const reader of readers.slice(1)) reader.take();
  expect(unread.bytes).toBe(300);
  readers[0]?.leave();
  expect(unread.bytes).toBe(0);
});

it('still counts what the others of an organization hold when one leaves', () => {
  const unread = new UnreadBytes(1_000);
  const [leaves, stays] = [unread.join('a'), unread.join('a')];
  expect([leaves.reserve(100), stays.reserve(400)]).toEqual([true, true]);
  leaves.leave();
  expect(unread.bytes).toBe(400);
  const comes = unread.join('a');
  expect([comes.reserve(201), comes.reserve(200)]).toEqual([false, true]);
});

it('wakes those that wait in their order, also those of another organization', async () => {
  const unread = new UnreadBytes(1_000);
  const [holder, other] = [unread.join('a'), unread.join('b')];
  expect(holder.reserve(500)).toBe(true);
  const woken: string[] = [];
  const waiters = ['first', 'second', 'third'].map((name) => {
    const reader = unread.join('a');
    expect(reader.reserve(300)).toBe(false);
    reader.whenRoom(300, () => {
      expect(reader.reserve(300)).toBe(true);
      woken.push(name);
    });
    return reader;
  });
  expect(other.reserve(501)).toBe(false);
  other.whenRoom(501, () => woken.push('other'));
  holder.reserve(150);
  await turn();
  expect(woken).toEqual(['first', 'other']);
  for (const reader of [holder, other, waiters[1]]) reader?.leave();
  await turn();
  expect(woken).toEqual(['first', 'other', 'third']);
});

it('lets nobody who goes on pass those that wait', async () => {
  const unread = new UnreadBytes(1_000);
  const [first, second] = [unread.join('a'), unread.join('a')];
  expect(first.reserve(500)).toBe(true);
  let woken = 0;
  second.whenRoom(500, () => {
    woken += 1;
  });
  first.take();
  expect(first.reserve(500)).toBe(false);
  await turn();
  expect([woken, unread.bytes]).toEqual([1, 500]);
  // What it has waited for is its own.
  expect(second.reserve(500)).toBe(true);
  second.take();
  expect(first.reserve(500)).toBe(true);
});

it('lets nobody who waits for more keep what it has', async () => {
  const unread = new UnreadBytes(1_000);
  const readers = [unread.join('a'), unread.join('a')];
  for (const reader of readers) expect(reader.reserve(200)).toBe(true);
  const woken: number[] = [];
  for (const [at, reader] of readers.entries()) {
    expect(reader.reserve(450)).toBe(false);
    reader.whenRoom(450, () => woken.push(at));
  }
  await turn();
  expect([woken, unread.bytes]).toEqual([[0], 450]);
});

it('wakes those behind one that leaves without having had room', async () => {
  const unread = new UnreadBytes(1_000);
  const [holder, large, small] = [unread.join('a'), unread.join('a'), unread.join('a')];
  expect(holder.reserve(300)).toBe(true);
  let woken = 0;
  large.whenRoom(500, () => undefined);
  small.whenRoom(100, () => {
    woken += 1;
  });
  await turn();
  expect(woken).toBe(0);
  large.leave();
  await turn();
  expect(woken).toBe(1);
});

it('says when many of an organization wait, and counts nobody twice', () => {
  const unread = new UnreadBytes(1_000);
  const [mine, other] = [unread.join('a'), unread.join('b')];
  const waiters = Array.from({ length: 2_000 }, () => unread.join('a'));
  for (const reader of waiters.slice(1)) reader.whenRoom(300, () => undefined);
  for (let again = 0; again < 2; again += 1) waiters[1]?.whenRoom(300, () => undefined);
  expect(mine.isCrowded).toBe(false);
  waiters[0]?.whenRoom(300, () => undefined);
  expect([mine.isCrowded, other.isCrowded]).toEqual([true, false]);
  waiters[0]?.leave();
  expect(mine.isCrowded).toBe(false);
});
