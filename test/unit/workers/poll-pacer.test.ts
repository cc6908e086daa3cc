import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Tenant } from '../../../src/queue/lane-shares.ts';
import { PollPacer } from '../../../workers/async-calls/poll-pacer.ts';

const STEP_MS = 10;

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

/** So many calls of an organization's workspaces that wait, by their workspaces. */
function waiting(organizationId: string, workspaces: number, each: number): Tenant[] {
  const tenants = Array.from({ length: workspaces }, (_, n) => aTenant(organizationId, n));
  return tenants.flatMap((tenant) => Array<Tenant>(each).fill(tenant));
}

function aTenant(organizationId: string, n = 0): Tenant {
  return { organizationId, workspaceId: `${organizationId}-${n}`, weight: 1 };
}

/** Polls calls that never get what they wait for, for so many seconds; when, and after which pauses they were polled again. */
function poll(calls: Tenant[], seconds: number, { pacer = new PollPacer(), tookMs = 3 } = {}) {
  const polls: { call: Tenant; at: number; pauseMs: number }[] = [];
  const steps: Tenant[][] = [calls];
  for (let step = 0; step < (seconds * 1_000) / STEP_MS; step += 1) {
    for (const call of steps[step] ?? []) {
      const pauseMs = pacer.pauseMs(call);
      pacer.count(call, tookMs);
      polls.push({ call, at: step * STEP_MS, pauseMs });
      const next = step + Math.ceil(pauseMs / STEP_MS);
      steps[next] ??= [];
      steps[next].push(call);
    }
    vi.advanceTimersByTime(STEP_MS);
  }
  return polls;
}

const perSecond = (polls: { at: number }[], from: number, to: number) =>
  polls.filter(({ at }) => at >= from * 1_000 && at < to * 1_000).length / (to - from);

describe('polls of calls that wait', () => {
  it.each([
    ['20 workspaces', [waiting('org', 20, 16)]],
    ['1,000 workspaces', [waiting('org', 1_000, 16)]],
    ['hundreds of organizations', Array.from({ length: 400 }, (_, n) => waiting(`org-${n}`, 2, 4))],
  ])('are some 200 a second, with the calls of %s', (_, calls) => {
    const polls = poll(calls.flat(), 240);
    expect(perSecond(polls, 120, 240)).toBeGreaterThan(150);
    expect(perSecond(polls, 120, 240)).toBeLessThan(220);
  });

  it('are so few that eight go on at a time, if they take long', () => {
    const polls = poll(waiting('org', 100, 16), 240, { tookMs: 100 });
    expect(perSecond(polls, 120, 240)).toBeGreaterThan(60);
    expect(perSecond(polls, 120, 240)).toBeLessThan(90);
  });

  it('are soon after some that took very long', () => {
    const pacer = new PollPacer();
    for (let n = 0; n < 16; n += 1) pacer.count(aTenant('org'), 30_000);
    expect(pacer.pauseMs(aTenant('org'))).toBeLessThanOrEqual(400);
  });

  it('are soon where few wait, for each of them', () => {
    const pauses = poll(waiting('org', 3, 16), 30).map(({ pauseMs }) => pauseMs);
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(200);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(400);
  });

  it('are as soon for an organization with few of them, whatever others have', () => {
    const polls = poll([...waiting('loud', 1_000, 16), aTenant('quiet')], 60);
    const quiet = polls.filter(({ call }) => call.organizationId === 'quiet');
    expect(Math.max(...quiet.map(({ pauseMs }) => pauseMs))).toBeLessThanOrEqual(400);
  });

  it('are as many of each workspace of an organization, however many of its calls wait', () => {
    const calls = [...waiting('org', 99, 16), aTenant('org', 99)];
    const polls = poll(calls, 120).filter(({ at }) => at > 20_000);
    const ofOne = polls.filter(({ call }) => call.workspaceId === 'org-99').length;
    expect(ofOne / (polls.length / 100)).toBeGreaterThan(0.7);
    expect(ofOne / (polls.length / 100)).toBeLessThan(1.6);
  });

  it('come after two minutes at the latest', () => {
    const pacer = new PollPacer();
    for (let n = 0; n < 100_000; n += 1) pacer.count(aTenant('org'), 3);
    expect(pacer.pauseMs(aTenant('org'))).toBeGreaterThanOrEqual(60_000);
    expect(pacer.pauseMs(aTenant('org'))).toBeLessThanOrEqual(120_000);
  });

  it('are soon again once the many have gone', () => {
    const pacer = new PollPacer();
    const calls = [waiting('org', 1_000, 1), Array.from({ length: 1_000 }, (_, n) => aTenant(`org-${n}`))];
    poll(calls.flat(), 30, { pacer });
    vi.advanceTimersByTime(120_000);
    const pauses = poll(waiting('org', 1, 16), 30, { pacer }).map(({ pauseMs }) => pauseMs);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(400);
  });
});
