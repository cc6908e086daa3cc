import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addUp, divideWindow, type Holdings } from '../../../src/queue/submit/window/divide-window.ts';
import { holds } from '../../support/queue/holds.ts';

const WINDOW = 384;

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
      organizationId: fc.constantFrom('one', 'other'),
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
