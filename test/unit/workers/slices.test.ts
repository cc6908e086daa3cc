import { expect, it } from 'vitest';
import { Slices } from '../../../workers/turns/slices.ts';

function keepBusy(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

/** Starts so many who each keep the process busy for `ms`, and gives in which order, and in which turn of the event loop, they did. */
async function runAll(count: number, ms: number): Promise<{ order: number[]; turns: number[] }> {
  const slices = new Slices();
  const order: number[] = [];
  const turns: number[] = [];
  let turn = 0;
  let isOver = false;
  const tick = () => {
    turn += 1;
    if (!isOver) setImmediate(tick);
  };
  setImmediate(tick);
  await Promise.all(
    Array.from({ length: count }, async (_, number) => {
      const next = slices.next('a');
      if (next !== undefined) await next;
      order.push(number);
      turns.push(turn);
      keepBusy(ms);
    }),
  );
  isOver = true;
  return { order, turns };
}

// A machine that stands still for a few milliseconds ends a slice, too.
const STALLED = { retry: { count: 4, condition: /turns/ } };

it('those who are quick all go on at once', STALLED, async () => {
  const { order, turns } = await runAll(50, 0);
  expect(order).toEqual(Array.from({ length: 50 }, (_, number) => number));
  expect(new Set(turns), 'turns').toEqual(new Set([0]));
});

it('those who are slow leave room between them for everything else, in the order in which they came', async () => {
  const { order, turns } = await runAll(12, 6);
  expect(order).toEqual(Array.from({ length: 12 }, (_, number) => number));
  for (const turn of new Set(turns))
    expect(turns.filter((one) => one === turn).length).toBeLessThanOrEqual(3);
});

it('who comes while others wait comes after them', async () => {
  const slices = new Slices();
  const order: string[] = [];
  const go = async (name: string) => {
    const next = slices.next('a');
    if (next !== undefined) await next;
    order.push(name);
    keepBusy(11);
  };
  const first = [go('a'), go('b'), go('c')];
  await new Promise((resolve) => setImmediate(resolve));
  await Promise.all([...first, go('d')]);
  expect(order).toEqual(['a', 'b', 'c', 'd']);
});

it('a tenant with one call goes before what is left of another', async () => {
  const slices = new Slices();
  const order: string[] = [];
  const go = async (tenant: string) => {
    const next = slices.next(tenant);
    if (next !== undefined) await next;
    order.push(tenant);
    keepBusy(5);
  };
  await Promise.all(['a', 'a', 'a', 'a', 'b', 'b', 'c'].map(go));
  expect(order).toEqual(['a', 'a', 'b', 'c', 'a', 'a', 'b']);
});
