import { expect, it } from 'vitest';
import { DISTURBANCES, planChaos, planChurn } from '../../torture/chaos/plan-chaos.ts';

const crew = { apis: 2, workers: 3 };

it('plans the same for the same seed, and something else for another', () => {
  expect(planChaos(7, 60_000, crew)).toEqual(planChaos(7, 60_000, crew));
  expect(planChaos(7, 60_000, crew)).not.toEqual(planChaos(8, 60_000, crew));
});

it('uses every kind in a long run, and only those it was given', () => {
  const kinds = new Set(planChaos(1, 20 * 60_000, crew).map(({ kind }) => kind));
  expect([...kinds].sort()).toEqual([...DISTURBANCES].sort());
  const some = planChaos(1, 60_000, crew, ['cut-network']);
  expect(new Set(some.map(({ kind }) => kind))).toEqual(new Set(['cut-network']));
});

it('leaves alone what it has disturbed until that is over', () => {
  const until = new Map<string, number>();
  for (const { at, target, ms } of planChaos(3, 10 * 60_000, crew)) {
    expect(at).toBeGreaterThanOrEqual(until.get(target) ?? 0);
    until.set(target, at + ms);
  }
});

it('removes a worker and adds it again in turns, one of them each second, by either signal', () => {
  const plan = planChurn(1, 5 * 60_000, crew);
  expect(planChurn(1, 5 * 60_000, crew)).toEqual(plan);
  expect(plan.length).toBeGreaterThan(140);
  expect(new Set(plan.map(({ kind }) => kind))).toEqual(new Set(['kill-worker', 'stop-worker']));
  for (const [index, { at, target, ms }] of plan.entries()) {
    const next = plan[index + 1] ?? { at: 5 * 60_000, target: '' };
    expect(at + ms).toBeLessThanOrEqual(next.at);
    expect(next.target).not.toBe(target);
  }
});
