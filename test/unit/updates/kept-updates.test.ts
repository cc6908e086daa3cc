import { expect, it } from 'vitest';
import { KeptUpdates, type UpdateKeeper } from '../../../src/updates/kept-updates.ts';

const MAX = 1_000;

class Keeper implements UpdateKeeper {
  bytes = 0;
  readonly kept: KeptUpdates;

  constructor(kept: KeptUpdates) {
    this.kept = kept;
  }

  take(bytes: number): this {
    this.bytes += bytes;
    this.kept.add(this, bytes);
    return this;
  }

  forget(): void {
    this.bytes = 0;
  }
}

it('lets everyone keep what there is room for', () => {
  const kept = new KeptUpdates(MAX);
  const keepers = [600, 400].map((bytes) => new Keeper(kept).take(bytes));
  expect(keepers.map(({ bytes }) => bytes)).toEqual([600, 400]);
  expect(kept.bytes).toBe(MAX);
});

it('has those who keep most forget theirs when there is too much, and no more of them than need be', () => {
  const kept = new KeptUpdates(MAX);
  const keepers = [300, 400, 200].map((bytes) => new Keeper(kept).take(bytes));
  keepers[2]?.take(150);
  expect(keepers.map(({ bytes }) => bytes)).toEqual([300, 0, 350]);
  expect(kept.bytes).toBe(650);
  keepers[1]?.take(100);
  expect(kept.bytes).toBe(750);
});

it('has one who takes in too much at once forget it, too', () => {
  const kept = new KeptUpdates(MAX);
  const keeper = new Keeper(kept).take(MAX + 1);
  expect(keeper.bytes).toBe(0);
  expect(kept.bytes).toBe(0);
});

it('counts nothing of those who have left', () => {
  const kept = new KeptUpdates(MAX);
  const keeper = new Keeper(kept).take(500);
  kept.remove(keeper);
  kept.remove(keeper);
  expect(kept.bytes).toBe(0);
});
