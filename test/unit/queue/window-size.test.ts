import { describe, expect, it } from 'vitest';
import { addUp, type Holdings } from '../../../src/queue/submit/window/divide-window.ts';
import {
  countWorkspaces,
  hasLight,
  permitsPerCallMax,
  windowFor,
} from '../../../src/queue/submit/window/window-size.ts';
import { holds, holdsOf } from '../../support/queue/holds.ts';

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

  it('tells whether an organization needs far less than its share beside one with very many workspaces', () => {
    expect(hasLight(addUp([crowd(300)]))).toBe(false);
    expect(hasLight(addUp([crowd(300), holdsOf('other', ['quiet', 1, 1])]))).toBe(true);
    expect(hasLight(addUp([crowd(300), holdsOf('other', ['busy', 1, 100])]))).toBe(false);
    expect(hasLight(addUp([{ ...crowd(300), restWeight: 300 }, holdsOf('other', ['quiet', 1, 1])]))).toBe(
      true,
    );
  });
});

describe('countWorkspaces', () => {
  it('counts a workspace once, however many processes hold its calls, and those that are not listed by weight', () => {
    const all = [holds(['a', 1, 2], ['b', 3, 1]), { ...holds(['a', 1, 9]), restWeight: 50 }];
    expect(countWorkspaces(addUp(all))).toBe(52);
  });

  it('counts no more of an organization than its part of the largest window, but all of a lone one', () => {
    const neighbour = holdsOf('other', ['quiet', 1, 1]);
    expect(countWorkspaces(addUp([crowd(300)]))).toBe(300);
    expect(countWorkspaces(addUp([crowd(300), neighbour]))).toBe(193);
    expect(countWorkspaces(addUp([crowd(100), neighbour]))).toBe(101);
    expect(countWorkspaces(addUp([{ ...crowd(300), restWeight: 300 }, neighbour]))).toBe(257);
  });

  it('counts each of very many organizations', () => {
    const all = Array.from({ length: 1_000 }, (_, index) => holdsOf(`o${index}`, [`w${index}`, 1, 2]));
    expect(countWorkspaces(addUp(all))).toBe(1_000);
  });
});

/** Busy workspaces of one organization. */
function crowd(workspaces: number): Holdings {
  return holds(
    ...Array.from({ length: workspaces }, (_, index): [string, number, number] => [`c${index}`, 1, 2]),
  );
}
