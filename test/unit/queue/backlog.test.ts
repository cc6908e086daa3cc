import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { Backlog } from '../../../src/queue/submit/window/backlog.ts';
import { addUp, divideWindow, type Holdings } from '../../../src/queue/submit/window/divide-window.ts';
import { PermitsPerCall } from '../../../src/queue/submit/window/permits-per-call.ts';

const WINDOW = 256;
const SMALL_WINDOW = 16;
const LIMITS = { permits: WINDOW, bytes: 1_000_000 };

interface Call {
  workspaceId: string;
  bytes: number;
  n: number;
  state: string;
  permits: number;
}

function aCall(workspaceId: string, bytes = 100, n = 0): Call {
  return { workspaceId, bytes, n, state: 'queued', permits: 1 };
}

function aBacklog(counts: Record<string, number>, bytes = 100): Backlog<Call> {
  const backlog = new Backlog<Call>(WINDOW);
  for (const [workspaceId, count] of Object.entries(counts)) push(backlog, workspaceId, count, bytes);
  return backlog;
}

function push(backlog: Backlog<Call>, workspaceId: string, count: number, bytes = 100): void {
  for (let n = 0; n < count; n += 1) backlog.push(aCall(workspaceId, bytes, n));
}

function divide(backlog: Backlog<Call>): void {
  const own = backlog.holdings(100);
  backlog.divide(divideWindow(WINDOW, own, addUp([own])));
}

function countTaken(calls: Call[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { workspaceId } of calls) counts[workspaceId] = (counts[workspaceId] ?? 0) + 1;
  return counts;
}

describe('Backlog', () => {
  it('serves workspaces in turn whatever their backlog, each in its own order', () => {
    const taken = aBacklog({ loud: 1_000, quiet: 2 }).take({ ...LIMITS, permits: 6 });
    expect(taken.map(({ workspaceId, n }) => `${workspaceId}${n}`)).toEqual([
      'loud0',
      'quiet0',
      'loud1',
      'quiet1',
      'loud2',
      'loud3',
    ]);
  });

  it('lets go of calls that ended before their turn, however many, and keeps the others in order', () => {
    const backlog = aBacklog({ a: 1 });
    for (let n = 1; n <= 10_000; n += 1) {
      const call = aCall('a', 100, n);
      backlog.push(call);
      if (n % 1_000 === 0) continue;
      call.state = 'ended';
      backlog.noteEnded(call);
    }
    expect(backlog.size).toBeLessThan(100);
    const taken = backlog.take({ ...LIMITS, permits: 20 });
    expect(taken.map(({ n }) => n)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((n) => n * 1_000));
    expect(backlog.size).toBe(0);
  });

  it('knows whether a workspace waits that has nothing outstanding, unless many have calls', () => {
    const backlog = aBacklog({ a: 2 });
    backlog.take({ ...LIMITS, permits: 1 });
    expect(backlog.hasNewcomer).toBe(false);
    push(backlog, 'b', 1);
    expect(backlog.hasNewcomer).toBe(true);
    for (let n = 0; n < 20; n += 1) push(backlog, `other ${n}`, 1);
    expect(backlog.hasNewcomer).toBe(false);
  });

  it('gives a workspace as many calls a turn as its weight', () => {
    const backlog = aBacklog({ a: 100, b: 100 });
    backlog.weigh('a', 3, 0);
    const turns = [backlog.take({ ...LIMITS, permits: 2 }), backlog.take({ ...LIMITS, permits: 6 })].flat();
    expect(turns.map(({ workspaceId }) => workspaceId).join('')).toBe('aaabaaab');
  });

  it('lets a workspace that has nothing more to do keep no part of its turn for later', () => {
    const backlog = aBacklog({ a: 1, b: 100 });
    backlog.weigh('a', 3, 0);
    expect(backlog.take({ ...LIMITS, permits: 2 }).map(({ workspaceId }) => workspaceId)).toEqual(['a', 'b']);
    push(backlog, 'a', 100);
    const taken = backlog.take({ ...LIMITS, permits: 9 }).map(({ workspaceId }) => workspaceId);
    // Each of its turns is worth three calls: no more for the two that it did not need before.
    expect(taken.join('')).toMatch(/^b?(aaab)+a{0,3}$/);
  });

  it('gives a lone workspace the whole window, whatever its weight', () => {
    const backlog = aBacklog({ lone: 1_000 });
    backlog.weigh('lone', 7, 0);
    divide(backlog);
    expect(backlog.take(LIMITS)).toHaveLength(256);
    expect(backlog.take(LIMITS)).toHaveLength(0);
  });

  it('holds each workspace to its share while others are active, and frees permits on release', () => {
    const backlog = aBacklog({ a: 1_000, b: 1_000 });
    expect(backlog.take(LIMITS)).toHaveLength(256);
    expect(backlog.take(LIMITS)).toHaveLength(0);
    backlog.release(aCall('a'));
    backlog.release(aCall('b'));
    expect(backlog.take(LIMITS).map(({ workspaceId }) => workspaceId)).toEqual(['a', 'b']);
  });

  it('lets one that comes into a full window in, up to its share', () => {
    const backlog = aBacklog({ loud: 1_000 });
    backlog.take(LIMITS);
    push(backlog, 'quiet', 8);
    expect(countTaken(backlog.take(LIMITS))).toEqual({ quiet: 8 });
  });

  it('lends what a workspace does not need, but no more than half of the window', () => {
    const backlog = aBacklog({ loud: 1_000, q1: 1, q2: 1, q3: 1, q4: 1, q5: 1, q6: 1, q7: 1 });
    expect(countTaken(backlog.take(LIMITS)).loud).toBe(32);
    divide(backlog);
    expect(countTaken(backlog.take(LIMITS))).toEqual({ loud: 128 - 32 - 7 });
  });

  it('stops before the bytes are too many, but always takes one', () => {
    const backlog = aBacklog({ a: 10 }, 400);
    expect(backlog.take({ ...LIMITS, bytes: 1_000 })).toHaveLength(2);
    expect(backlog.take({ ...LIMITS, bytes: 10 })).toHaveLength(1);
    expect(backlog.size).toBe(7);
  });

  it('has few large calls outstanding, which hold up no small ones', () => {
    const KiB = 1024;
    const backlog = aBacklog({ loud: 40 }, 32 * KiB);
    expect(backlog.take(LIMITS)).toHaveLength(8);
    push(backlog, 'quiet', 20);
    push(backlog, 'also large', 2, 1_000 * KiB);
    expect(countTaken(backlog.take(LIMITS))).toEqual({ quiet: 20 });
    for (let n = 0; n < 8; n += 1) backlog.release(aCall('loud', 32 * KiB));
    // One may go beyond the bound, however large it is.
    const taken = [1, 2, 3].flatMap(() => backlog.take({ ...LIMITS, permits: 1 }));
    expect(countTaken(taken)).toEqual({ loud: 1, 'also large': 1 });
    expect(backlog.take(LIMITS)).toHaveLength(0);
    for (const call of taken) backlog.release(call);
    expect(backlog.take(LIMITS).length).toBeGreaterThan(0);
  });

  it('passes over what has ended by its turn', () => {
    const backlog = new Backlog<Call>(WINDOW);
    const calls = [0, 1, 2].map((n) => aCall('a', 1, n));
    for (const call of calls) backlog.push(call);
    (calls[0] as Call).state = 'ended';
    (calls[2] as Call).state = 'ended';
    expect(backlog.take(LIMITS).map(({ n }) => n)).toEqual([1]);
    expect(backlog).toMatchObject({ size: 0, outstanding: 1 });
  });

  it('forgets a workspace that has had no call for a while', () => {
    const backlog = aBacklog({ a: 1 });
    backlog.take(LIMITS);
    backlog.release(aCall('a'));
    push(backlog, 'b', 300);
    divide(backlog);
    expect(countTaken(backlog.take(LIMITS))).toEqual({ b: 128 });
    divide(backlog);
    expect(countTaken(backlog.take(LIMITS))).toEqual({ b: 128 });
    backlog.take(LIMITS);
    for (let n = 0; n < 256; n += 1) backlog.release(aCall('b'));
    backlog.take(LIMITS);
    for (let n = 0; n < 44; n += 1) backlog.release(aCall('b'));
    divide(backlog);
    expect(backlog.isIdle).toBe(true);
  });

  it('serves all that want more in proportion to their weights, loses nothing and keeps its order', () => {
    const weights = fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 2, maxLength: 6 });
    const property = fc.property(weights, fc.integer({ min: 1, max: 64 }), (of, calls) => {
      const served = serve(of, { calls });
      const all = served.reduce((sum, count) => sum + count, 0);
      const total = of.reduce((sum, weight) => sum + weight, 0);
      for (const [index, weight] of of.entries()) {
        const fair = (all * weight) / total;
        expect(Math.abs((served[index] ?? 0) - fair)).toBeLessThanOrEqual(WINDOW / of.length + weight);
      }
    });
    fc.assert(property, { numRuns: 50 });
  });

  it('lets a few calls of each workspace out while there is room, however small the shares are', () => {
    const backlog = aBacklog(
      Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`w${n}`, n < 10 ? 8 : 1])),
    );
    divide(backlog);
    expect(
      Object.values(countTaken(backlog.take({ ...LIMITS, permits: 230 }))).filter((count) => count === 4),
    ).toHaveLength(10);
  });

  it('has a place at once for who comes into a window that very many fill', () => {
    const backlog = aBacklog(Object.fromEntries(Array.from({ length: 150 }, (_, n) => [`w${n}`, 1_000])));
    let outstanding: Call[] = [];
    for (let round = 0; round < 40; round += 1) {
      divide(backlog);
      push(backlog, `newcomer ${round}`, 1);
      const taken = backlog.take({ ...LIMITS, permits: 500 });
      expect(taken.map(({ workspaceId }) => workspaceId)).toContain(`newcomer ${round}`);
      outstanding.push(...taken);
      expect(outstanding.length).toBeLessThanOrEqual(WINDOW + 64);
      for (const call of outstanding.slice(0, 20)) backlog.release(call);
      outstanding = outstanding.slice(20);
    }
  });

  it('has a place at once for who comes into a small window that very many fill', () => {
    const backlog = aBacklog(Object.fromEntries(Array.from({ length: 150 }, (_, n) => [`w${n}`, 10])));
    const own = backlog.holdings(200);
    backlog.divide(divideWindow(SMALL_WINDOW, own, addUp([own])), SMALL_WINDOW);
    expect(Math.max(...Object.values(countTaken(backlog.take(LIMITS))))).toBeLessThanOrEqual(4);
    expect(backlog.take(LIMITS)).toHaveLength(0);
    push(backlog, 'newcomer', 2);
    expect(countTaken(backlog.take(LIMITS))).toEqual({ newcomer: 1 });
  });

  it('serves very many by their weights too', () => {
    const weights = [...Array.from({ length: 100 }, () => 1), ...Array.from({ length: 10 }, () => 10)];
    const served = serve(weights, { calls: 20, inAll: 12_000, outstandingMax: WINDOW + 64 });
    const sum = (counts: number[]) => counts.reduce((all, count) => all + count, 0);
    const ratio = sum(served.slice(100)) / 10 / (sum(served.slice(0, 100)) / 100);
    expect(ratio).toBeGreaterThan(8);
    expect(ratio).toBeLessThan(12.5);
  });

  it('tells of what it holds: all where few hold calls, else the weight alone of who has one or comes last', () => {
    const backlog = aBacklog({ a: 1, b: 2, c: 1 });
    backlog.weigh('c', 5, 0);
    const held = [
      { workspaceId: 'a', weight: 1, demand: 1 },
      { workspaceId: 'b', weight: 1, demand: 2 },
      { workspaceId: 'c', weight: 5, demand: 1 },
    ];
    expect(backlog.holdings(3)).toEqual({ held, restWeight: 0 });
    expect(backlog.holdings(2)).toEqual({ held: [held[1]], restWeight: 6 });
    push(backlog, 'a', 1);
    push(backlog, 'c', 1);
    expect(backlog.holdings(2).held.map(({ workspaceId }) => workspaceId)).toEqual(['a', 'b']);
    expect(backlog.holdings(2).restWeight).toBe(5);
    // What is outstanding counts as what waits does.
    backlog.take({ ...LIMITS, permits: 1 });
    expect(backlog.holdings(3).held[0]).toEqual({ workspaceId: 'a', weight: 1, demand: 2 });
    backlog.release(aCall('a'));
    expect(backlog.holdings(3).held[0]?.demand).toBe(1);
  });

  it('asks for the weights that do not hold any more, a few at a time', () => {
    const backlog = aBacklog({ a: 1, b: 1, c: 1 });
    backlog.weigh('b', 2, 50);
    const heldSince = (moment: number) => (at: number) => at >= moment;
    expect(backlog.unweighed(heldSince(50), 9)).toEqual(['a', 'c']);
    expect(backlog.unweighed(heldSince(51), 9)).toEqual(['a', 'b', 'c']);
    expect(backlog.unweighed(heldSince(51), 2)).toEqual(['a', 'c']);
    backlog.weigh('a', 1, 60);
    expect(backlog.unweighed(heldSince(70), 2)).toEqual(['c', 'b']);
    backlog.weigh('nobody', 2, 50);
    expect(backlog.permits).toBe(WINDOW);
  });

  it('knows the first call of each line, and how many permits are its own', () => {
    const backlog = aBacklog({ a: 3, b: 1 });
    expect([...backlog.heads()].map(({ workspaceId, n }) => workspaceId + n)).toEqual(['a0', 'b0']);
    backlog.take({ ...LIMITS, permits: 1 });
    expect([...backlog.heads()].map(({ workspaceId, n }) => workspaceId + n).sort()).toEqual(['a1', 'b0']);
    backlog.divide({ foreignWeight: 2, grants: new Map([['a', { others: 1, lent: 10 }]]) });
    // Half of a and all of b against a weight of two; and what is lent.
    expect(backlog.permits).toBe(Math.round((WINDOW * 1.5) / 3.5 + 10));
  });

  it('counts what comes and goes until fewer are taken than asked for', () => {
    const backlog = aBacklog({ a: 40, b: 30 });
    expect(backlog.turnover).toBe(70);
    expect(backlog.take({ ...LIMITS, permits: 64 })).toHaveLength(64);
    expect(backlog.turnover).toBe(70);
    expect(backlog.take({ ...LIMITS, permits: 64 })).toHaveLength(6);
    expect(backlog.turnover).toBe(0);
    backlog.release(aCall('a'));
    push(backlog, 'b', 1);
    expect(backlog.turnover).toBe(2);
  });

  it('shares by what calls cost: a workspace whose calls cost ten permits gets a tenth of the calls', () => {
    const backlog = aBacklog({ costly: 500, cheap: 500 });
    learn(backlog, 'costly', 10);
    const served = { costly: 0, cheap: 0 };
    for (let round = 0; round < 40; round += 1) {
      divide(backlog);
      const taken = backlog.take({ ...LIMITS, permits: 20 });
      for (const { workspaceId } of taken) served[workspaceId as keyof typeof served] += 1;
      for (const call of taken) backlog.release(call);
    }
    expect(served.cheap / served.costly).toBeGreaterThan(8);
    expect(served.cheap / served.costly).toBeLessThan(12);
    expect(backlog.outstanding).toBe(0);
  });

  it('has as many costly calls outstanding as their share is worth, and one more at most; all alone, the window', () => {
    const backlog = aBacklog({ costly: 500, cheap: 500 });
    learn(backlog, 'costly', 10);
    divide(backlog);
    const beside = countTaken(backlog.take({ ...LIMITS, permits: 1_000 }));
    expect(beside.cheap).toBe(WINDOW / 2);
    expect(beside.costly).toBe(Math.ceil(WINDOW / 2 / 10));
    const alone = aBacklog({ costly: 500 });
    learn(alone, 'costly', 10);
    expect(alone.take({ ...LIMITS, permits: 1_000 }).length).toBe(Math.ceil(WINDOW / 10));
  });

  it('takes a call that costs more than is asked for, and no other with it', () => {
    const backlog = aBacklog({ costly: 2 });
    learn(backlog, 'costly', 50);
    expect(backlog.take({ ...LIMITS, permits: 8 })).toHaveLength(1);
    expect(backlog).toMatchObject({ outstanding: 1, size: 1 });
  });

  it.each([1, 4])('keeps shares that are worth less than a call, in %i processes', (processes) => {
    const share = shareOfCostly({ cost: 24, neighbours: 30, processes });
    expect(share).toBeGreaterThan(0.4);
    expect(share).toBeLessThan(2.5);
  });

  it('lets one costly call out at any time while nothing is outstanding, and beside others once the last is paid', () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const backlog = new Backlog<Call>(40);
    learn(backlog, 'costly', 32);
    push(backlog, 'costly', 3);
    backlog.divide({ foreignWeight: 1, grants: new Map() }, 40);
    const [first] = backlog.take(LIMITS);
    expect(backlog.take(LIMITS)).toEqual([]);
    vi.advanceTimersByTime(100);
    backlog.release(first as Call);
    const [second] = backlog.take(LIMITS);
    vi.advanceTimersByTime(100);
    push(backlog, 'cheap', 2);
    expect(countTaken(backlog.take(LIMITS))).toEqual({ cheap: 2 });
    backlog.release(second as Call);
    expect(backlog.take(LIMITS)).toEqual([]);
    // It waits because it pays: a job of its own would go without it.
    expect(backlog.hasNewcomer).toBe(false);
    vi.advanceTimersByTime(300);
    expect(backlog.hasNewcomer).toBe(true);
    expect(countTaken(backlog.take(LIMITS))).toEqual({ costly: 1 });
    vi.useRealTimers();
  });

  it('lets a workspace whose calls have just become costly pay for none of the time before', () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const backlog = new Backlog<Call>(40);
    push(backlog, 'costly', 5);
    push(backlog, 'quiet', 1);
    // A share is two permits, but while there is room, each workspace may have four.
    backlog.divide({ foreignWeight: 18, grants: new Map() }, 40);
    const taken = backlog.take(LIMITS);
    expect(countTaken(taken)).toEqual({ costly: 3, quiet: 1 });
    vi.advanceTimersByTime(10_000);
    learn(backlog, 'costly', 8);
    for (const call of taken) if (call.workspaceId === 'quiet') backlog.release(call);
    expect(countTaken(backlog.take(LIMITS))).toEqual({ costly: 1 });
    vi.useRealTimers();
  });

  it('leaves room for newcomers beside many costly calls', () => {
    const names = Array.from({ length: 10 }, (_, index) => `costly ${index}`);
    const backlog = aBacklog(Object.fromEntries(names.map((name) => [name, 50])));
    for (const name of names) learn(backlog, name, 32);
    divide(backlog);
    while (backlog.take(LIMITS).length > 0);
    push(backlog, 'newcomer', 1);
    expect(countTaken(backlog.take(LIMITS))).toEqual({ newcomer: 1 });
  });

  it('does not go through many lines again and again whose calls have cost more than their turns', () => {
    const names = Array.from({ length: 300 }, (_, index) => `costly ${index}`);
    const backlog = aBacklog(Object.fromEntries(names.map((name) => [name, 20])));
    for (const name of names) learn(backlog, name, 32);
    const visits = vi.spyOn(PermitsPerCall.prototype, 'of');
    let calls = 0;
    for (let round = 0; round < 100; round += 1) {
      const taken = backlog.take({ ...LIMITS, permits: 64 });
      calls += taken.length;
      for (const call of taken) backlog.release(call);
    }
    expect(calls).toBeGreaterThan(100);
    // Some for each turn, and for each call not many more turns than there are lines.
    expect(visits.mock.calls.length / calls / names.length).toBeLessThan(10);
    visits.mockRestore();
  });

  it('wants and turns over as many permits as its calls cost', () => {
    const backlog = aBacklog({ costly: 2 });
    learn(backlog, 'costly', 50);
    expect(backlog.holdings(1).held).toEqual([{ workspaceId: 'costly', weight: 1, demand: 100 }]);
    backlog.take(LIMITS);
    push(backlog, 'costly', 1);
    expect(backlog.turnover).toBe(50);
  });
});

interface Crowd {
  cost: number;
  neighbours: number;
  processes: number;
}

/**
 * Simulates processes and a server that does two permits' worth a millisecond, in order of arrival, for a workspace of costly calls among
 * cheap ones, all with enough to do. Returns what the first gets, as a part of its fair share.
 */
function shareOfCostly({ cost, neighbours, processes }: Crowd): number {
  vi.useFakeTimers({ toFake: ['performance'] });
  const names = ['costly', ...Array.from({ length: neighbours }, (_, index) => `cheap ${index}`)];
  const backlogs = Array.from({ length: processes }, () =>
    aBacklog(Object.fromEntries(names.map((name) => [name, 20]))),
  );
  const server = new Server(2);
  const settled = { costly: 0, all: 0 };
  for (let ms = 0; ms < 20_000; ms += 1) {
    if (ms === 5_000) Object.assign(settled, server.done);
    if (ms % 250 === 0) divideAll(backlogs);
    for (const backlog of backlogs) {
      if (ms % 1_000 === 0) learn(backlog, 'costly', cost);
      const taken = backlog.take({ ...LIMITS, permits: 56 });
      for (const call of taken) push(backlog, call.workspaceId, 1);
      server.take(backlog, taken, (call) => (call.workspaceId === 'costly' ? cost : 1));
    }
    server.work();
    vi.advanceTimersByTime(1);
  }
  vi.useRealTimers();
  const { costly, all } = server.done;
  return ((costly - settled.costly) / (all - settled.all)) * names.length;
}

class Server {
  /** What was done so far, in permits. */
  readonly done = { costly: 0, all: 0 };
  private readonly capacity: number;
  private readonly line: { call: Call; from: Backlog<Call>; left: number }[] = [];

  constructor(capacity: number) {
    this.capacity = capacity;
  }

  take(from: Backlog<Call>, calls: Call[], costOf: (call: Call) => number): void {
    for (const call of calls) this.line.push({ call, from, left: costOf(call) });
  }

  work(): void {
    for (let capacity = this.capacity; capacity > 0 && this.line[0] !== undefined; ) {
      const [first] = this.line;
      const used = Math.min(capacity, first.left);
      first.left -= used;
      capacity -= used;
      this.done.all += used;
      if (first.call.workspaceId === 'costly') this.done.costly += used;
      if (first.left > 0) return;
      this.line.shift();
      first.from.release(first.call);
    }
  }
}

function divideAll(backlogs: Backlog<Call>[]): void {
  const all = backlogs.map((backlog) => backlog.holdings(100));
  for (const [index, backlog] of backlogs.entries())
    backlog.divide(divideWindow(WINDOW, all[index] as Holdings, addUp(all)));
}

/** Makes a workspace known for calls that cost so many permits. */
function learn(backlog: Backlog<Call>, workspaceId: string, cost: number): void {
  for (let calls = 0; calls < 1_000; calls += 1) backlog.costs.note(workspaceId, cost);
}

interface Service {
  /** How many get done in a round. */
  calls: number;
  inAll?: number;
  outstandingMax?: number;
}

/** How many calls each of some workspaces with these weights gets done. */
function serve(weights: number[], { calls, inAll = 1_500, outstandingMax = WINDOW }: Service): number[] {
  const backlog = new Backlog<Call>(WINDOW);
  const served = weights.map(() => 0);
  for (const [index, weight] of weights.entries()) {
    push(backlog, String(index), 2_000);
    backlog.weigh(String(index), weight, 0);
  }
  const outstanding: Call[] = [];
  for (let round = 0; round < inAll / calls; round += 1) {
    divide(backlog);
    const taken = backlog.take({ ...LIMITS, permits: calls });
    outstanding.push(...taken);
    for (const { workspaceId, n } of taken) {
      const index = Number(workspaceId);
      if (n !== served[index]) throw new Error(`workspace ${index} got call ${n} after ${served[index]}`);
      served[index] = n + 1;
    }
    expect(backlog.outstanding).toBe(outstanding.length);
    expect(outstanding.length).toBeLessThanOrEqual(outstandingMax);
    for (const call of outstanding.splice(0, calls)) backlog.release(call);
  }
  return served;
}
