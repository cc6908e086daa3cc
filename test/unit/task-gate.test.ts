import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { type GateLimits, TaskGate, type TaskOptions } from '../../src/task-gate.ts';

const STAYS = new AbortController().signal;

/** A gate whose tasks are let through by hand, in the order in which they began. */
class Rig {
  readonly gate: TaskGate;
  readonly began: string[] = [];
  readonly answered: string[] = [];
  readonly refused: string[] = [];
  private readonly ends: (() => void)[] = [];

  constructor(limits: GateLimits) {
    this.gate = new TaskGate(limits);
  }

  /** `owner` is `tenant/key`. */
  ask(owner: string, what: string, options: TaskOptions = {}, signal = STAYS): void {
    const [tenant = '', key = ''] = owner.split('/');
    const task = async () => {
      this.began.push(what);
      await new Promise<void>((resolve) => this.ends.push(resolve));
      return what;
    };
    this.gate.run({ tenant, key, signal }, task, options).then(
      (found) => this.answered.push(`${what}=${found}`),
      ({ code }) => this.refused.push(`${what}: ${code}`),
    );
  }

  async endOne(): Promise<void> {
    this.ends.shift()?.();
    await sleep(5);
  }

  async endAll(): Promise<void> {
    while (this.ends.length > 0) await this.endOne();
  }
}

describe('a gate for tasks', () => {
  test('lets so many of a key run at once, and so many altogether', async () => {
    const rig = new Rig({ atOnce: 3, perKey: 2, waitingPerKey: 10 });
    for (const what of ['a1', 'a2', 'a3']) rig.ask('t/a', what);
    for (const what of ['b1', 'b2']) rig.ask('t/b', what);
    expect(rig.began).toEqual(['a1', 'a2', 'b1']);
    await rig.endOne();
    expect(rig.began.length).toBe(4);
    await rig.endAll();
    expect(rig.began.toSorted()).toEqual(['a1', 'a2', 'a3', 'b1', 'b2']);
    expect(rig.answered.length).toBe(5);
  });

  test('serves tenants in turn, however many keys one has, and the keys of each', async () => {
    const rig = new Rig({ atOnce: 1, perKey: 1, waitingPerKey: 10 });
    rig.ask('first/f', 'f');
    for (const key of ['a', 'b', 'c']) for (const number of [1, 2]) rig.ask(`big/${key}`, `${key}${number}`);
    rig.ask('small/x', 'x1');
    rig.ask('small/x', 'x2');
    await rig.endAll();
    expect(rig.began).toEqual(['f', 'a1', 'x1', 'b1', 'x2', 'c1', 'a2', 'b2', 'c2']);
  });

  test('refuses what is too much of a key, but not what is counted elsewhere', async () => {
    const rig = new Rig({ atOnce: 1, perKey: 1, waitingPerKey: 2 });
    for (const what of ['a1', 'a2', 'a3', 'a4']) rig.ask('t/a', what);
    rig.ask('t/a', 'live', { isExempt: true });
    rig.ask('t/b', 'b1');
    await rig.endAll();
    expect(rig.refused).toEqual(['a4: rate_limited']);
    expect(rig.answered.toSorted()).toEqual(['a1=a1', 'a2=a2', 'a3=a3', 'b1=b1', 'live=live']);
  });

  test('runs tasks of a name that wait once, and not with one that has begun', async () => {
    const rig = new Rig({ atOnce: 1, perKey: 1, waitingPerKey: 10 });
    rig.ask('t/a', 'begun', { name: 'same' });
    rig.ask('t/a', 'a1', { name: 'same' });
    rig.ask('u/b', 'b1', { name: 'same' });
    rig.ask('t/a', 'other', { name: 'other' });
    await rig.endAll();
    expect(rig.began).toEqual(['begun', 'a1', 'other']);
    expect(rig.answered).toEqual(['begun=begun', 'a1=a1', 'b1=a1', 'other=other']);
  });

  test('passes over those whose callers have gone, and has room for others', async () => {
    const rig = new Rig({ atOnce: 1, perKey: 1, waitingPerKey: 2 });
    const leaving = new AbortController();
    rig.ask('t/a', 'a1');
    rig.ask('t/a', 'gone1', {}, leaving.signal);
    rig.ask('t/a', 'gone2', { name: 'gone' }, leaving.signal);
    leaving.abort();
    rig.ask('t/a', 'a2');
    await rig.endAll();
    expect(rig.began).toEqual(['a1', 'a2']);
    expect(rig.refused).toEqual(['gone1: request_timeout', 'gone2: request_timeout']);
  });

  test('looks at what other keys of the tenant wait for only where there is no room for these together', () => {
    const limits = { atOnce: 1, perKey: 1, waitingPerKey: 2 };
    const looksOf = (rig: Rig): number => {
      let looks = 0;
      const signal = {
        get aborted() {
          looks += 1;
          return false;
        },
      } as AbortSignal;
      rig.ask('t/running', 'running');
      for (const what of ['a', 'b']) rig.ask('t/other', what, {}, signal);
      for (const what of ['c', 'd', 'refused']) rig.ask('t/full', what);
      expect(looks).toBe(0);
      rig.ask('t/more', 'more');
      return looks;
    };
    expect(looksOf(new Rig(limits))).toBe(0);
    expect(looksOf(new Rig({ ...limits, waitingPerTenant: 4 }))).toBe(2);
  });

  test('bounds what all keys of a tenant have under way and waiting, and lets others go on', async () => {
    const tenant = { perTenant: 2, waitingPerTenant: 2 };
    const rig = new Rig({ atOnce: 4, perKey: 2, waitingPerKey: 2, ...tenant, refusal: 'too many' });
    for (const key of ['a', 'b', 'c', 'd', 'e']) rig.ask(`big/${key}`, key);
    rig.ask('small/x', 'x');
    expect(rig.began).toEqual(['a', 'b', 'x']);
    await rig.endAll();
    expect(rig.refused).toEqual(['e: rate_limited']);
    expect(rig.answered.toSorted()).toEqual(['a=a', 'b=b', 'c=c', 'd=d', 'x=x']);
  });

  test('goes on after a task that failed, and forgets who has no tasks', async () => {
    const gate = new TaskGate({ atOnce: 1, perKey: 1, waitingPerKey: 10 });
    const owner = { tenant: 't', key: 'a', signal: STAYS };
    const fail = () => Promise.reject(new Error('no'));
    await expect(gate.run(owner, fail)).rejects.toThrow('no');
    expect(await gate.run(owner, async () => 1)).toBe(1);
    await sleep(5);
    expect((gate as unknown as { tenants: Map<string, unknown> }).tenants.size).toBe(0);
  });
});
