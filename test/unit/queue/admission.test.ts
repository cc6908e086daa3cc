import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openLogger } from '../../../src/logger.ts';
import { Problem } from '../../../src/problem.ts';
import { Admission } from '../../../src/queue/submit/admission.ts';

const MAX_WAIT_MS = 1_000;
const log = openLogger({ LOG_LEVEL: 'silent' }, 'test');

let admission: Admission;
let queueConnection: { status: string };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  queueConnection = { status: 'ready' };
  admission = new Admission({
    maxWaitMs: MAX_WAIT_MS,
    timeoutMs: 30_000,
    inFlightMax: 10_000,
    bytesInFlightMax: 1_000,
    log,
    queueConnection,
    workers: { isMissing: false },
  });
});

afterEach(() => {
  admission.close();
  vi.useRealTimers();
});

/** A workspace, alone in its organization where none is given. */
function of(workspaceId: string, organizationId = workspaceId) {
  return { workspaceId, organizationId };
}

/** Has 400 workspaces of one organization call, of which forty a second are answered, and call again at once. */
function haveLoudOrganization(): void {
  const loud = Array.from({ length: 400 }, (_, n) => of(`loud-${n}`, 'loud'));
  for (const owner of loud) expect(admission.enter(owner, 0, true)).toBeNull();
  for (const owner of loud) {
    vi.advanceTimersByTime(25);
    admission.leave(owner.workspaceId, 0, true);
    expect(admission.enter(owner, 0, true)).toBeNull();
  }
}

interface Load {
  workspaceId: string;
  /** Per second. */
  offered: number;
  done: number;
  /** So many get done together; one by default. */
  atOnce?: number;
}

interface Outcome {
  done: number;
  longestWaitMs: number;
  refusals: Problem[];
}

/** Offers calls for a while to servers that get so many done, each workspace's in their order. */
function run(loads: Load[], ms: number, waiting: Record<string, number[]> = {}): Record<string, Outcome> {
  const outcomes: Record<string, Outcome> = {};
  const due: Record<string, { offered: number; done: number }> = {};
  for (let at = 0; at < ms; at += 10) {
    for (const { workspaceId, offered, done, atOnce = 1 } of loads) {
      outcomes[workspaceId] ??= { done: 0, longestWaitMs: 0, refusals: [] };
      due[workspaceId] ??= { offered: 0, done: 0 };
      waiting[workspaceId] ??= [];
      const [outcome, credit, queue] = [outcomes[workspaceId], due[workspaceId], waiting[workspaceId]];
      credit.offered += offered / 100;
      credit.done += done / 100;
      for (; credit.offered >= 1; credit.offered -= 1) offer(workspaceId, queue, outcome);
      if (credit.done >= atOnce)
        for (; credit.done >= 1; credit.done -= 1) finish(workspaceId, queue, outcome);
    }
    vi.advanceTimersByTime(10);
  }
  return outcomes;
}

function offer(workspaceId: string, queue: number[], { refusals }: Outcome): void {
  const problem = admission.check(of(workspaceId)) ?? admission.enter(of(workspaceId), 0, true);
  if (problem === null) queue.push(performance.now());
  else refusals.push(problem);
}

function finish(workspaceId: string, queue: number[], outcome: Outcome): void {
  const since = queue.shift();
  if (since === undefined) return;
  admission.leave(workspaceId, 0, true);
  outcome.done += 1;
  outcome.longestWaitMs = Math.max(outcome.longestWaitMs, performance.now() - since);
}

/** Enters calls until one is refused. */
function refusalOf(owner: (n: number) => ReturnType<typeof of>): string | undefined {
  for (let n = 0; ; n += 1) {
    const problem = admission.enter(owner(n), 0, true);
    if (problem !== null) return problem.detail;
  }
}

describe('Admission', () => {
  it('does not advise to send async calls where those find no room either', () => {
    expect(refusalOf(() => of('a'))).toMatch(/used up its share .*, and send fewer at once/);
    expect(refusalOf((n) => of(`b-${n}`))).toMatch(/than this process holds .*, and send fewer at once/);
  });

  it('lets everything in that gets done', () => {
    expect(run([{ workspaceId: 'a', offered: 490, done: 500 }], 10_000).a?.refusals).toEqual([]);
  });

  it('at five times what gets done, refuses the rest, keeps the workers busy and the wait short', () => {
    const { a } = run([{ workspaceId: 'a', offered: 2_500, done: 500 }], 20_000);
    expect(a?.done).toBeGreaterThan(0.99 * 20 * 500);
    expect(a?.refusals.length).toBeGreaterThan(35_000);
    expect(a?.longestWaitMs).toBeLessThan(1.5 * MAX_WAIT_MS);
    expect(new Set(a?.refusals.map(({ code }) => code))).toEqual(new Set(['overloaded']));
    expect(a?.refusals.at(-1)?.detail).toContain('Prefer: respond-async');
    const retries = a?.refusals.map(({ options }) => Number(options.headers?.['retry-after'])) ?? [];
    expect(Math.min(...retries)).toBe(1);
    expect(Math.max(...retries)).toBeGreaterThan(5);
    // A little more than the time that five times as many calls take.
    expect(Math.max(...retries)).toBeLessThanOrEqual(15);
  });

  it('has those that are refused come back within half a minute, however many they are', () => {
    const { a } = run([{ workspaceId: 'a', offered: 5_000, done: 50 }], 4_000);
    const retries = a?.refusals.map(({ options }) => Number(options.headers?.['retry-after'])) ?? [];
    expect(Math.max(...retries)).toBeGreaterThan(20);
    expect(Math.max(...retries)).toBeLessThanOrEqual(30);
  });

  it('knows how fast calls get done that get done many at once, and seldom', () => {
    const waiting = {};
    const loads = [{ workspaceId: 'a', offered: 250, done: 50, atOnce: 64 }];
    run(loads, 30_000, waiting);
    const { a } = run(loads, 60_000, waiting);
    expect(a?.done).toBeGreaterThan(0.9 * 60 * 50);
    expect(a?.longestWaitMs).toBeLessThan(8 * MAX_WAIT_MS);
  });

  it('takes calls again as soon as those in flight get done in time', () => {
    const waiting = {};
    run([{ workspaceId: 'a', offered: 2_500, done: 500 }], 5_000, waiting);
    const after = run([{ workspaceId: 'a', offered: 100, done: 500 }], 5_000, waiting);
    expect(after.a?.refusals.length).toBeLessThan(100);
    expect(run([{ workspaceId: 'a', offered: 100, done: 500 }], 1_000, waiting).a?.refusals).toEqual([]);
  });

  it('refuses the workspace alone that asks for too much', () => {
    const loads = [
      { workspaceId: 'loud', offered: 2_500, done: 400 },
      { workspaceId: 'quiet', offered: 50, done: 100 },
    ];
    const { loud, quiet } = run(loads, 10_000);
    expect(quiet?.refusals).toEqual([]);
    expect(new Set(loud?.refusals.map(({ code }) => code))).toEqual(new Set(['rate_limited']));
  });

  it('has patience with callers who wait for their answers, however many they are', () => {
    const waiting: Record<string, number[]> = {};
    run([{ workspaceId: 'a', offered: 25_000, done: 0 }], 100, waiting);
    const { a } = run([{ workspaceId: 'a', offered: 1_000, done: 1_000 }], 10_000, waiting);
    expect(a?.refusals.length).toBeLessThan(1_000);
    expect(waiting.a?.length).toBeGreaterThan(1_000);
  });

  it('has patience with them too when many of them are answered at once', () => {
    const queue: number[] = [];
    const outcome: Outcome = { done: 0, longestWaitMs: 0, refusals: [] };
    for (let n = 0; n < 200; n += 1) offer('a', queue, outcome);
    for (let round = 0; round < 60; round += 1) {
      vi.advanceTimersByTime(1_280);
      for (let n = 0; n < 64; n += 1) finish('a', queue, outcome);
      for (let n = 0; n < 64; n += 1) offer('a', queue, outcome);
    }
    expect(outcome.refusals).toEqual([]);
  });

  it('has patience with callers who wait for their answers and turn to one workspace or another', () => {
    const queues = Array.from({ length: 40 }, (): number[] => []);
    const outcome: Outcome = { done: 0, longestWaitMs: 0, refusals: [] };
    let seed = 1;
    const anyOf = (length: number) => {
      seed = (seed * 16_807) % 2_147_483_647;
      return seed % length;
    };
    const offerToAny = () => {
      const n = anyOf(queues.length);
      offer(`w${n}`, queues[n] as number[], outcome);
    };
    for (let n = 0; n < 250; n += 1) offerToAny();
    let turn = 0;
    for (let step = 0; step < 6_000; step += 1) {
      vi.advanceTimersByTime(10);
      for (let left = 3; left > 0; turn += 1) {
        const n = turn % queues.length;
        const queue = queues[n] as number[];
        if (queue.length === 0) continue;
        finish(`w${n}`, queue, outcome);
        offerToAny();
        left -= 1;
      }
    }
    expect(outcome.done).toBeGreaterThan(10_000);
    expect(outcome.refusals).toEqual([]);
  });

  it('lets a few calls in, however slow they get done', () => {
    expect(run([{ workspaceId: 'a', offered: 0.5, done: 0.4 }], 60_000).a?.refusals).toEqual([]);
  });

  it('holds many workspaces that ask for too much together to their parts', () => {
    const loads = Array.from({ length: 50 }, (_, n) => ({ workspaceId: `w${n}`, offered: 20, done: 4 }));
    const outcomes = Object.values(run(loads, 20_000));
    for (const { done, longestWaitMs } of outcomes) {
      expect(done).toBeGreaterThan(70);
      expect(longestWaitMs).toBeLessThanOrEqual(3 * MAX_WAIT_MS);
    }
  });

  it('takes from a crowd a workspace that has less than its part', () => {
    const waiting: Record<string, number[]> = {};
    const loads = Array.from({ length: 50 }, (_, n) => ({ workspaceId: `w${n}`, offered: 20, done: 4 }));
    run(loads, 20_000, waiting);
    const small = of('small');
    for (let n = 0; n < 2; n += 1) expect(admission.enter(small, 0, true)).toBeNull();
    const before = admission.refusals.get('crowd') ?? 0;
    const refused = loads.filter(({ workspaceId }) => admission.check(of(workspaceId)) !== null);
    expect(refused.length).toBeGreaterThan(10);
    expect((admission.refusals.get('crowd') ?? 0) - before).toBeGreaterThan(10);
    expect(admission.check(small)).toBeNull();
    for (let n = 0; n < 6; n += 1) expect(admission.enter(small, 0, true)).toBeNull();
    expect(admission.check(small)?.code).toBe('overloaded');
  });

  it('shares out what a crowd may have among organizations first, however many workspaces one has', () => {
    haveLoudOrganization();
    let taken = 0;
    for (; admission.check(of('quiet')) === null && taken < 40; taken += 1)
      expect(admission.enter(of('quiet'), 0, true)).toBeNull();
    expect(taken).toBeGreaterThan(15);
    expect(taken).toBeLessThan(25);
    expect(admission.check(of('loud-0', 'loud'))?.code).toBe('overloaded');
    expect(admission.check(of('loud-400', 'loud'))).toBeNull();
  });

  it('takes from a crowd a workspace with more than its part while its organization has less, and the other way round', () => {
    haveLoudOrganization();
    // Their organization has a part of about 20 calls, and each of them half of that.
    const [one, other] = [of('one', 'pair'), of('other', 'pair')];
    const take = (owner: ReturnType<typeof of>, calls: number) => {
      for (let n = 0; n < calls; n += 1) expect(admission.enter(owner, 0, true)).toBeNull();
    };
    take(other, 1);
    take(one, 13);
    expect(admission.check(one)).toBeNull();
    take(one, 13);
    expect(admission.check(one)?.code).toBe('overloaded');
    expect(admission.check(other)).toBeNull();
  });

  it('counts calls that were moved to the slow lane as in flight, but no longer as waiting for their turn', () => {
    for (let n = 0; n < 400; n += 1) {
      expect(admission.enter(of(`w${n % 100}`), 1, true)).toBeNull();
      admission.leaveTurn(`w${n % 100}`);
    }
    vi.advanceTimersByTime(60_000);
    for (let n = 0; n < 2; n += 1) {
      expect(admission.check(of('quiet'))).toBeNull();
      expect(admission.enter(of('quiet'), 0, true)).toBeNull();
    }
    expect(admission.check(of('w0'))).toBeNull();
    expect(admission.inFlight).toBe(402);
    expect(admission.enter(of('w0'), 601, false)).toBeInstanceOf(Problem);
    for (let n = 0; n < 400; n += 1) admission.leave(`w${n % 100}`, 1, false);
    expect(admission.inFlight).toBe(2);
  });

  it('waits for workers that come back within seconds, and no longer', () => {
    const waiting = {};
    expect(run([{ workspaceId: 'a', offered: 100, done: 0 }], 5_000, waiting).a?.refusals).toEqual([]);
    const { a } = run([{ workspaceId: 'a', offered: 100, done: 0 }], 1_000, waiting);
    expect(a?.refusals.length).toBeGreaterThan(50);
    expect(a?.refusals.at(-1)?.code).toBe('overloaded');
  });

  it('refuses nothing because workers stand almost still for a second, if calls may wait for four', () => {
    admission.limit({ maxWaitMs: 4_000, inFlightMax: 10_000, bytesInFlightMax: 1_000 });
    const waiting = {};
    const usual = { workspaceId: 'a', offered: 75, done: 100 };
    run([{ ...usual, done: 70 }], 10_000, waiting);
    expect(run([{ ...usual, done: 10 }], 1_000, waiting).a?.refusals).toEqual([]);
    const after = run([usual], 10_000, waiting);
    expect(after.a?.refusals).toEqual([]);
    expect(after.a?.longestWaitMs).toBeLessThan(4_000);
  });

  it('lets a slow second that comes first not count for long', () => {
    admission.limit({ maxWaitMs: 4_000, inFlightMax: 10_000, bytesInFlightMax: 1_000 });
    const waiting = {};
    const usual = { workspaceId: 'a', offered: 75, done: 80 };
    run([usual], 10_000, waiting);
    run([{ ...usual, done: 4 }], 1_000, waiting);
    expect(run([usual], 10_000, waiting).a?.refusals.length).toBeLessThan(10);
  });

  it('refuses nobody for the first moments of a burst', () => {
    const queue: number[] = [];
    const outcome: Outcome = { done: 0, longestWaitMs: 0, refusals: [] };
    for (let n = 0; n < 1_000; n += 1) offer('a', queue, outcome);
    for (const done of [2, 1, 50, 100, 100]) {
      vi.advanceTimersByTime(50);
      offer('a', queue, outcome);
      for (let n = 0; n < done; n += 1) finish('a', queue, outcome);
    }
    vi.advanceTimersByTime(50);
    offer('a', queue, outcome);
    expect(outcome.refusals).toEqual([]);
  });

  it('refuses nobody because a part of what ends at once has ended a moment before the rest', () => {
    const queue: number[] = [];
    const outcome: Outcome = { done: 0, longestWaitMs: 0, refusals: [] };
    const end = (count: number) => {
      for (let n = 0; n < count; n += 1) finish('a', queue, outcome);
      for (let n = 0; n < count; n += 1) offer('a', queue, outcome);
      vi.advanceTimersByTime(50);
    };
    for (let n = 0; n < 512; n += 1) offer('a', queue, outcome);
    vi.advanceTimersByTime(50);
    end(20);
    for (let silent = 0; silent < 20; silent += 1) vi.advanceTimersByTime(50);
    for (const count of [5, 400, 100, 100]) end(count);
    expect(outcome.refusals).toEqual([]);
  });

  it('notices in time that most workers are gone, however long calls may wait', () => {
    admission.limit({ maxWaitMs: 24_000, inFlightMax: 10_000, bytesInFlightMax: 1_000 });
    const waiting = {};
    run([{ workspaceId: 'a', offered: 100, done: 98 }], 10_000, waiting);
    const { a } = run([{ workspaceId: 'a', offered: 100, done: 20 }], 90_000, waiting);
    expect(a?.refusals.length).toBeGreaterThan(1_000);
    expect(a?.longestWaitMs).toBeLessThan(30_000);
  });

  it('keeps room for others when one workspace holds most of it', () => {
    const taken: Record<string, number> = { a: 0, b: 0, c: 0 };
    for (const workspaceId of ['a', 'b', 'c']) {
      while (admission.enter(of(workspaceId), 0, false) === null)
        taken[workspaceId] = (taken[workspaceId] ?? 0) + 1;
    }
    expect(taken.a).toBe(7_500);
    expect(taken.b).toBeGreaterThan(1_500);
    expect(taken.c).toBeGreaterThan(400);
    admission.leave('a', 0, false);
    expect(admission.enter(of('c'), 0, false)).toBeNull();
  });

  it('leaves a seventh of the calls to others beside many workspaces of one organization', () => {
    const takenBy = (organizationId: string) => {
      const before = admission.inFlight;
      for (let n = 0; n < 50; n += 1)
        while (admission.enter(of(`${organizationId}-${n}`, organizationId), 0, false) === null);
      return admission.inFlight - before;
    };
    expect(Math.abs(takenBy('loud') - (10_000 * 6) / 7)).toBeLessThan(5);
    expect(takenBy('quiet')).toBeGreaterThan(1_200);
    expect(admission.enter(of('loud-0', 'loud'), 0, false)).toBeInstanceOf(Problem);
    expect(admission.enter(of('one-more'), 0, false)).toBeNull();
  });

  it('shares out the bytes of the calls in the same way', () => {
    const takenBy = (...owner: [string, string?]) => {
      let bytes = 0;
      while (admission.enter(of(...owner), 10, false) === null) bytes += 10;
      return bytes;
    };
    expect(Math.abs(takenBy('a') - 750)).toBeLessThanOrEqual(10);
    expect(admission.check(of('a'))?.code).toBe('overloaded');
    for (let n = 0; n < 20; n += 1) takenBy(`loud-${n}`, 'loud');
    expect(takenBy('c')).toBeGreaterThan(10);
    expect(admission.refusals.get('bytes')).toBe(0);
    admission.leave('a', 10, false);
    expect(admission.enter(of('d'), 10, false)).toBeNull();
  });

  it('forgets organizations none of whose workspaces calls any more', () => {
    for (const round of [1, 2]) {
      for (const workspaceId of ['a', 'b'])
        expect(admission.enter(of(workspaceId, 'both'), 400 / round, false)).toBeNull();
      for (const workspaceId of ['a', 'b']) admission.leave(workspaceId, 400 / round, false);
      vi.advanceTimersByTime(200);
    }
    expect(admission.enter(of('c', 'both'), 1_000, false)).toBeNull();
  });

  it('bounds the bytes of the calls in flight', () => {
    expect(admission.enter(of('a'), 900, true)).toBeNull();
    expect(admission.enter(of('b'), 101, true)).toBeInstanceOf(Problem);
    expect(admission.enter(of('b'), 100, true)).toBeNull();
    expect(Object.fromEntries(admission.refusals)).toMatchObject({ bytes: 1, wait: 0 });
    admission.leave('a', 900, true);
    expect(admission.enter(of('b'), 101, true)).toBeNull();
    expect(admission.inFlight).toBe(2);
  });

  it('refuses what would not get done within the time that a call has, however long it may wait', () => {
    admission.close();
    admission = new Admission({
      ...{ maxWaitMs: 10_000, timeoutMs: MAX_WAIT_MS },
      ...{
        inFlightMax: 10_000,
        bytesInFlightMax: 1_000,
        log,
        queueConnection,
        workers: { isMissing: false },
      },
    });
    const { a } = run([{ workspaceId: 'a', offered: 2_500, done: 500 }], 20_000);
    expect(a?.done).toBeGreaterThan(0.99 * 20 * 500);
    expect(a?.longestWaitMs).toBeLessThan(MAX_WAIT_MS);
  });

  it('takes calls whose time was over for a sign that the next are in vain, until one is answered', () => {
    const waiting: Record<string, number[]> = {};
    run([{ workspaceId: 'a', offered: 100, done: 0 }], 30_000, waiting);
    const before = waiting.a?.length ?? 0;
    for (let left = before; left > 0; left -= 1) admission.leave('a', 0, true, false);
    waiting.a = [];
    expect(
      run([{ workspaceId: 'a', offered: 100, done: 0 }], 3_000, waiting).a?.refusals.length,
    ).toBeGreaterThan(290);
    expect(waiting.a?.length).toBeLessThan(10);
    admission.leave('a', 0, true);
    expect(run([{ workspaceId: 'a', offered: 100, done: 200 }], 1_000, waiting).a?.refusals).toEqual([]);
  });

  it('has a few refused calls looked at all the same, one of each workspace at a time', () => {
    expect([admission.glance(of('a')), admission.glance(of('a')), admission.glance(of('b'))]).toEqual([
      true,
      false,
      true,
    ]);
    const more = Array.from({ length: 20 }, (_, at) => admission.glance(of(`w${at}`)));
    expect(more.filter(Boolean)).toHaveLength(8);
    vi.advanceTimersByTime(50);
    // Also of one that has calls in flight, which is not forgotten meanwhile.
    expect(admission.enter(of('a'), 1, true)).toBeNull();
    expect(admission.glance(of('a'))).toBe(true);
    vi.advanceTimersByTime(50);
    expect(admission.glance(of('a'))).toBe(true);
    const again = Array.from({ length: 20 }, (_, at) => admission.glance(of(`w${at}`)));
    expect(again.filter(Boolean)).toHaveLength(9);
  });

  it('refuses calls as unavailable while Redis is away', () => {
    queueConnection.status = 'reconnecting';
    const problem = admission.enter(of('a'), 1_001, true);
    expect([problem?.code, problem?.retryAfter]).toEqual(['unavailable', 1]);
    queueConnection.status = 'ready';
    expect(admission.enter(of('a'), 1_001, true)?.code).toBe('overloaded');
  });

  it('does not take it for slowness that nothing was done while Redis was away', () => {
    const waiting = { a: [] };
    const offered = { workspaceId: 'a', offered: 400, done: 500 };
    run([offered], 5_000, waiting);
    queueConnection.status = 'reconnecting';
    const away = run([{ ...offered, offered: 100, done: 0 }], 10_000, waiting);
    expect(away.a?.refusals).toEqual([]);
    queueConnection.status = 'ready';
    expect(run([offered], 1_000, waiting).a?.refusals).toEqual([]);
  });

  it('knows nothing of how fast calls get done once Redis was away, and takes some in', () => {
    const load = { workspaceId: 'a', offered: 100, done: 10 };
    const waiting = { a: [] };
    expect(run([load], 10_000, waiting).a?.refusals.length).toBeGreaterThan(500);
    queueConnection.status = 'reconnecting';
    run([{ ...load, offered: 0, done: 0 }], 1_000, waiting);
    queueConnection.status = 'ready';
    const refusals = Array.from(
      { length: 30 },
      () => admission.check(of('a')) ?? admission.enter(of('a'), 0, true),
    );
    expect(refusals.filter((problem) => problem !== null)).toEqual([]);
  });

  it('says once that calls are refused, and how many were once they are taken again', () => {
    const said: [string, object][] = [];
    const note = (what: object, message: string) => void said.push([message, what]);
    admission.close();
    admission = new Admission({
      ...{ maxWaitMs: MAX_WAIT_MS, timeoutMs: 30_000, inFlightMax: 10_000, bytesInFlightMax: 1_000 },
      queueConnection,
      workers: { isMissing: false },
      log: { warn: note, info: note } as unknown as typeof log,
    });
    for (const round of [1, 2]) {
      for (let n = 0; n < 3; n += 1) {
        expect(admission.enter(of('a'), 1_001, true)).toBeInstanceOf(Problem);
        vi.advanceTimersByTime(100);
      }
      expect(said).toHaveLength(2 * round - 1);
      expect(said.at(-1)).toEqual([
        'calls are refused',
        { workspaceId: 'a', reason: 'bytes', inFlight: 0, perSecond: null },
      ]);
      vi.advanceTimersByTime(850);
      expect(said).toHaveLength(2 * round - 1);
      vi.advanceTimersByTime(200);
      expect(said.at(-1)).toEqual(['calls are taken again', { refused: 3, forMs: 200 }]);
    }
    expect(said).toHaveLength(4);
  });

  it('counts the bytes of calls that are being recorded, and lets them go however that ends', async () => {
    const fail = () => Promise.reject(new Error('not recorded'));
    const first = admission.holding(of('a'), 900, fail, true);
    await expect(admission.holding(of('a'), 200, async () => 1, true)).rejects.toMatchObject({
      code: 'overloaded',
    });
    await expect(first).rejects.toThrow('not recorded');
    expect(await admission.holding(of('a'), 200, async () => 1, true)).toBe(1);
  });

  it('counts a call that is recorded or held as having come only if it may run now', async () => {
    const { arrived, served } = admission.usage;
    await admission.holding(of('a'), 1, async () => 1, false);
    expect([admission.usage.arrived, admission.usage.served]).toEqual([arrived, served]);
    await admission.holding(of('a'), 1, async () => 1, true);
    expect([admission.usage.arrived, admission.usage.served]).toEqual([arrived + 1, served + 1]);
    admission.countPaused('a');
    expect(admission.refusals.get('paused')).toBe(1);
  });

  it('has other limits hold from when they are set', () => {
    admission.limit({ maxWaitMs: 1_000, inFlightMax: 0, bytesInFlightMax: 1 });
    expect(admission.check(of('a'))?.code).toBe('overloaded');
  });
});
