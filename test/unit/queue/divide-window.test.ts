import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addUp,
  countWorkspaces,
  divideWindow,
  type Holding,
  type Holdings,
  hasLight,
  permitsPerCallMax,
  windowFor,
} from '../../../src/queue/submit/window/divide-window.ts';

const WINDOW = 384;

function holds(...held: [workspaceId: string, weight: number, demand: number][]): Holdings {
  return {
    held: held.map(([workspaceId, weight, demand]): Holding => ({ workspaceId, weight, demand })),
    restWeight: 0,
  };
}

/** How many places each process has for each of its workspaces. */
function placesOf(all: Holdings[]): Record<string, number>[] {
  const parties = addUp(all);
  return all.map((own) => {
    const division = divideWindow(WINDOW, own, parties);
    const parts = own.held.map(({ workspaceId, weight }) => {
      const { others, lent } = division.grants.get(workspaceId) ?? { others: 0, lent: 0 };
      return { workspaceId, part: weight / (1 + others), lent };
    });
    const ownWeight = own.restWeight + parts.reduce((sum, { part }) => sum + part, 0);
    return Object.fromEntries(
      parts.map(({ workspaceId, part, lent }) => [
        workspaceId,
        (WINDOW * part) / (ownWeight + division.foreignWeight) + lent,
      ]),
    );
  });
}

it('has room for two calls for each worker while calls are slow and costly', () => {
  const needs = { workspaces: 1, workers: 8, costliest: 24, hasLight: false };
  expect(windowFor([20], needs)).toBe(384);
  expect(windowFor([20], { ...needs, workers: 2 })).toBe(96);
});

describe('permitsPerCallMax', () => {
  it.each([
    [0, 384],
    [1, 192],
    [50, 3],
    [1_000, 1],
  ])('leaves two calls in the largest window for each of %i workers: %i', (workers, max) => {
    expect(permitsPerCallMax(workers)).toBe(max);
  });
});

describe('windowFor', () => {
  it.each([
    ['all while nobody knows how fast calls are answered', [null], 1, 1, 384],
    ['all while one does not know it', [10, null], 1, 1, 384],
    ['what is answered within 150 ms, by all processes together', [500, 700], 1, 1, 180],
    ['no more than all, however fast calls are answered', [20_000], 1, 1, 384],
    ['some, however slowly', [0.1], 1, 1, 40],
    ['some without a worker', [0.1], 1, 0, 40],
    ['one for each workspace, however slowly', [0.1], 60, 1, 60],
    ['no more than all, however many workspaces there are', [0.1], 1_000, 1, 384],
    ['two for each worker, however slowly', [0.1], 1, 30, 60],
    ['no more than all, however many workers there are', [0.1], 1, 1_000, 384],
  ])('is %s', (_name, rates, workspaces, workers, window) => {
    expect(windowFor(rates, { workspaces, workers, costliest: 1, hasLight: false })).toBe(window);
  });

  it.each([
    ['smaller', [5_000], 1, 1, 224],
    ['all while nobody knows how fast calls are answered', [null], 1, 1, 384],
    ['what is answered within 25 ms, by all processes together', [5_000, 7_000], 1, 1, 300],
    ['no more than all, however fast calls are answered', [40_000], 1, 1, 384],
    ['what is answered within 150 ms, if that is less', [800], 1, 1, 120],
    ['one for each workspace', [5_000], 300, 1, 300],
    ['two for each worker', [5_000], 1, 150, 300],
  ])('is %s while some workspaces need little beside others', (_name, rates, workspaces, workers, window) => {
    expect(windowFor(rates, { workspaces, workers, costliest: 1, hasLight: true })).toBe(window);
  });
});

describe('hasLight', () => {
  it('tells whether some need far less than their share, and others more, over all processes', () => {
    expect(hasLight(addUp([holds(['a', 1, 900], ['b', 1, 8])]))).toBe(true);
    expect(hasLight(addUp([holds(['a', 1, 900]), holds(['b', 1, 8])]))).toBe(true);
    expect(hasLight(addUp([holds(['a', 1, 900], ['b', 1, 900])]))).toBe(false);
    expect(hasLight(addUp([holds(['a', 1, 330], ['b', 1, 180])]))).toBe(false);
    expect(hasLight(addUp([holds(['a', 1, 100]), holds(['a', 1, 100], ['b', 1, 900])]))).toBe(false);
    expect(hasLight(addUp([holds(['a', 1, 8], ['b', 1, 8])]))).toBe(false);
    expect(hasLight(addUp([holds(['a', 1, 900])]))).toBe(false);
    expect(hasLight(addUp([]))).toBe(false);
  });

  it('measures a share by weight, those that are not listed included', () => {
    expect(hasLight(addUp([holds(['a', 3, 300], ['b', 1, 24])]))).toBe(true);
    expect(hasLight(addUp([holds(['a', 3, 300], ['b', 1, 25])]))).toBe(false);
    expect(hasLight(addUp([holds(['a', 3, 288], ['b', 1, 24])]))).toBe(false);
    expect(hasLight(addUp([{ ...holds(['a', 1, 300], ['b', 1, 24]), restWeight: 2 }]))).toBe(true);
    expect(hasLight(addUp([{ ...holds(['a', 1, 300], ['b', 1, 24]), restWeight: 3 }]))).toBe(false);
  });

  it('counts no workspace as light among so many that each has but a few permits', () => {
    const among = (count: number) =>
      holds(
        ['a', 1, 900],
        ['b', 1, 0],
        ...Array.from({ length: count - 2 }, (_, i): [string, number, number] => [`c${i}`, 1, 5]),
      );
    expect(hasLight(addUp([among(96)]))).toBe(true);
    expect(hasLight(addUp([among(97)]))).toBe(false);
  });
});

describe('countWorkspaces', () => {
  it('counts a workspace once, however many processes hold its calls, and those that are not listed by weight', () => {
    const all = [holds(['a', 1, 2], ['b', 3, 1]), { ...holds(['a', 1, 9]), restWeight: 500 }];
    expect(countWorkspaces(addUp(all))).toBe(502);
  });
});

describe('divideWindow', () => {
  it('gives a lone workspace everything', () => {
    expect(placesOf([holds(['a', 5, 1_000])])).toEqual([{ a: WINDOW }]);
  });

  it('divides by weight, also among processes', () => {
    const all = [holds(['a', 3, 900]), holds(['b', 2, 900]), holds(['c', 1, 900])];
    expect(placesOf(all)).toEqual([{ a: 192 }, { b: 128 }, { c: 64 }]);
  });

  it("divides a workspace's share among the processes that hold its calls", () => {
    const all = [holds(['a', 1, 900], ['b', 1, 900]), holds(['a', 1, 900])];
    expect(placesOf(all)).toEqual([{ a: 96, b: 192 }, { a: 96 }]);
  });

  it('leaves what one process does not need of a share to the others that hold the workspace', () => {
    const [few, many] = placesOf([holds(['a', 1, 2]), holds(['a', 1, 900])]);
    expect(few).toEqual({ a: 192 });
    expect(many).toEqual({ a: 382 });
  });

  it('lends what a workspace does not need to those that need more, by weight, up to half of the window', () => {
    const quiet = Array.from({ length: 9 }, (_, index): [string, number, number] => [`q${index}`, 1, 0]);
    const [places] = placesOf([holds(['a', 2, 900], ['b', 1, 900], ...quiet)]);
    expect(places).toMatchObject({ a: 128, b: 64, q0: 32 });
  });

  it('counts the workspaces that are not listed by their weight', () => {
    const [places] = placesOf([holds(['a', 1, 900]), { held: [], restWeight: 3 }]);
    expect(places).toEqual({ a: 96 });
  });

  it('never gives more than the window to those that want more, however it is asked', () => {
    const holding = fc.record({
      workspaceId: fc.constantFrom('a', 'b', 'c', 'd'),
      weight: fc.constant(1),
      demand: fc.integer({ min: 0, max: 2_000 }),
    });
    const holdings = fc.record({
      held: fc.uniqueArray(holding, { selector: ({ workspaceId }) => workspaceId, maxLength: 4 }),
      restWeight: fc.integer({ min: 0, max: 50 }),
    });
    const property = fc.property(fc.array(holdings, { minLength: 1, maxLength: 4 }), (all) => {
      const weightOf = { a: 1, b: 2, c: 10, d: 100 } as Record<string, number>;
      const weighed = all.map(({ held, restWeight }) => ({
        restWeight,
        held: held.map((one) => ({ ...one, weight: weightOf[one.workspaceId] as number })),
      }));
      let used = 0;
      for (const [index, places] of placesOf(weighed).entries()) {
        for (const { workspaceId, demand } of weighed[index]?.held ?? []) {
          const here = places[workspaceId] ?? 0;
          expect(here).toBeGreaterThan(0);
          used += Math.min(here, demand);
        }
      }
      expect(used).toBeLessThanOrEqual(WINDOW + 1e-6);
    });
    fc.assert(property);
  });
});
