import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import Fastify from 'fastify';
import { describe, expect, test, vi } from 'vitest';
import { BulkAnswerMemory } from '../../../src/api/calls/bulk-answer-memory.ts';
import { SingleAnswerMemory } from '../../../src/api/calls/single-answer-memory.ts';
import { AnswerBudget, HeldAnswer } from '../../../src/api/limits/answer-budget.ts';
import { answerBudgetGuard, installAnswerBudget } from '../../../src/api/plugins/answer-budget.ts';
import { installGuards } from '../../../src/api/plugins/guards.ts';
import { installProblems } from '../../../src/api/plugins/problems.ts';
import { openLogger } from '../../../src/logger.ts';
import type { CallRequest } from '../../../src/queue/submit/pending-call.ts';

const MiB = 1024 * 1024;
const WAIT_MS = 30_000;

function aResponse() {
  const response = Object.assign(new EventEmitter(), { destroyed: false });
  return Object.assign(response as unknown as ServerResponse, {
    end() {
      response.destroyed = true;
      response.emit('close');
    },
  });
}

describe('the budget of answers', () => {
  test('one organization holds half of it, a second one half of the rest, and all of it comes back', () => {
    const budget = new AnswerBudget(16 * MiB);
    const responses = Array.from({ length: 20 }, aResponse);
    const take = (organizationId: string, response: ServerResponse) =>
      new HeldAnswer(budget, response, organizationId).hold(0, MiB, true);
    expect(responses.slice(0, 10).filter((response) => take('a', response))).toHaveLength(8);
    expect(responses.slice(10).filter((response) => take('b', response))).toHaveLength(4);
    expect(budget.bytes).toBe(12 * MiB);
    expect(budget.check('a')?.code).toBe('overloaded');
    expect(budget.check('c')).toBeNull();
    for (const response of responses) response.end();
    expect(budget.bytes).toBe(0);
    expect(budget.check('a')).toBeNull();
  });

  test('small answers pass whatever is held, and what a write has answered is never thrown away', () => {
    const budget = new AnswerBudget(4 * MiB);
    const [full, small, write] = [aResponse(), aResponse(), aResponse()];
    expect(new HeldAnswer(budget, full, 'a').hold(0, 2 * MiB, true)).toBe(true);
    expect(new HeldAnswer(budget, small, 'a').hold(0, 8_000, true)).toBe(true);
    expect(new HeldAnswer(budget, write, 'a').hold(0, 3 * MiB, false)).toBe(true);
    expect(budget.bytes).toBe(5 * MiB);
  });

  test('a few large answers of an organization are made at once, the others wait for them', async () => {
    const budget = new AnswerBudget(64 * MiB);
    const held = Array.from({ length: 6 }, () => new HeldAnswer(budget, aResponse(), 'a'));
    const turns = held.map((one) => one.reserve(MiB / 2, WAIT_MS));
    expect(turns.map((turn) => turn === null)).toEqual([true, true, false, false, false, false]);
    held[0]?.hold(MiB / 2, 0, true);
    await turns[2];
    held[1]?.hold(MiB / 2, MiB / 4, true);
    await turns[3];
    expect(budget.bytes).toBe((9 * MiB) / 4);
  });

  test('a turn of a call that only waits goes to the next, and each comes within the time of its call', async () => {
    vi.useFakeTimers();
    const budget = new AnswerBudget(64 * MiB);
    const come: number[] = [];
    const take = (index: number, bytes: number, waitMs: number) => {
      const held = new HeldAnswer(budget, aResponse(), 'a');
      const turn = held.reserve(bytes, waitMs);
      if (turn === null) come.push(index);
      else void turn.then(() => come.push(index));
      return held;
    };
    const waiting = [0, 1, 2].map((index) => take(index, MiB, WAIT_MS));
    take(3, MiB, 700);
    expect(come).toEqual([0]);
    await vi.advanceTimersByTimeAsync(600);
    expect(come).toEqual([0, 1]);
    // What one that only waited gives back at last is not given back twice.
    waiting[0]?.hold(MiB, 0, true);
    await vi.advanceTimersByTimeAsync(50);
    expect(come).toEqual([0, 1]);
    // The time of the last one is over: it does not wait for the one before it.
    await vi.advanceTimersByTimeAsync(100);
    expect(come).toEqual([0, 1, 3]);
    waiting[1]?.hold(MiB, 0, true);
    await vi.advanceTimersByTimeAsync(600);
    expect(come).toEqual([0, 1, 3, 2]);
    vi.useRealTimers();
  });

  test('of answers of one size in a bulk, the end of one takes no turn from another that still waits', async () => {
    vi.useFakeTimers();
    const budget = new AnswerBudget(64 * MiB);
    const held = new HeldAnswer(budget, aResponse(), 'a');
    budget.throttle.count('a', 64 * MiB);
    let come = 0;
    void held.reserve(MiB, WAIT_MS)?.then(() => (come += 1));
    // Its time is over before that of the one before it.
    await Promise.all([held.reserve(MiB, 100), vi.advanceTimersByTimeAsync(200)]);
    expect(come).toBe(0);
    held.hold(MiB, 0, true);
    await vi.advanceTimersByTimeAsync(WAIT_MS);
    expect(come).toBe(1);
    vi.useRealTimers();
  });

  test('of large answers of an organization 32 MiB a second are made, after 16 at once; small ones wait for nothing', async () => {
    const budget = new AnswerBudget(256 * MiB);
    const make = async (organizationId: string) => {
      const held = new HeldAnswer(budget, aResponse(), organizationId);
      await held.reserve(2 * MiB, WAIT_MS);
      held.hold(2 * MiB, 2 * MiB, true);
    };
    vi.useFakeTimers();
    let made = 0;
    const all = (async () => {
      for (; made < 24; made += 1) await make('a');
    })();
    await vi.advanceTimersByTimeAsync(800);
    expect(made).toBeLessThan(24);
    await vi.advanceTimersByTimeAsync(1_000);
    await all;
    vi.useRealTimers();
    expect(made).toBe(24);
    expect(new HeldAnswer(budget, aResponse(), 'a').reserve(8_000, WAIT_MS)).toBeNull();
    expect(new HeldAnswer(budget, aResponse(), 'b').reserve(2 * MiB, WAIT_MS)).toBeNull();
  });

  test('what was reserved comes back when the caller goes, and nothing is reserved for one who has gone', () => {
    const budget = new AnswerBudget(16 * MiB);
    const response = aResponse();
    const held = new HeldAnswer(budget, response, 'a');
    expect(held.reserve(MiB, WAIT_MS)).toBeNull();
    response.end();
    expect(budget.bytes).toBe(0);
    expect(held.hold(MiB, MiB, true)).toBe(true);
    expect(() => held.reserve(MiB, WAIT_MS)).toThrow(expect.objectContaining({ code: 'canceled' }));
    expect(budget.bytes).toBe(0);
  });

  test('large answers are expected again for a while, small ones at once', () => {
    const { expected } = new AnswerBudget(16 * MiB);
    expect(expected.of('a', 'messages.getHistory', {})).toBe(64 * 1024);
    expected.add('a', 'messages.getHistory', 1_000);
    expect(expected.of('a', 'messages.getHistory', {})).toBe(1_000);
    expected.add('a', 'messages.getHistory', MiB);
    expected.add('a', 'messages.getHistory', 1_000);
    expect(expected.of('a', 'messages.getHistory', {})).toBeGreaterThan(0.9 * MiB);
    expect(expected.of('a', 'upload.getFile', { limit: MiB })).toBeGreaterThan(1.3 * MiB);
    expect(expected.of('a', 'messages.sendMessage', {})).toBe(0);
  });

  test('what one organization has read is not expected of another', () => {
    const { expected } = new AnswerBudget(16 * MiB);
    expected.add('b', 'messages.getHistory', 1_000);
    expected.add('a', 'messages.getHistory', 4 * MiB);
    expect(expected.of('b', 'messages.getHistory', {})).toBe(1_000);
    expect(expected.of('c', 'messages.getHistory', {})).toBe(64 * 1024);
  });

  test('of many organizations those are remembered that asked of late', () => {
    const { expected } = new AnswerBudget(16 * MiB);
    for (const organization of ['busy', 'gone']) expected.add(organization, 'messages.getHistory', MiB);
    for (let n = 0; n < 10_000; n += 1) {
      expected.add(`organization-${n}`, 'messages.getHistory', 1_000);
      expect(expected.of('busy', 'messages.getHistory', {})).toBeGreaterThan(0.5 * MiB);
    }
    expect(expected.of('gone', 'messages.getHistory', {})).toBe(64 * 1024);
  });
});

test('the keys of twenty workspaces of one organization have one share, and another organization reads on', async () => {
  const budget = new AnswerBudget(16 * MiB);
  const app = Fastify();
  installProblems(app, openLogger({ LOG_LEVEL: 'silent' }, 'test'));
  app.addHook('onRequest', async (request) => {
    const { organization: organizationId, workspace: workspaceId } = request.headers;
    Object.assign(request, { principal: { kind: 'key', organizationId, workspaceId } });
  });
  installGuards(app, [answerBudgetGuard(budget)]);
  installAnswerBudget(app, budget);
  app.get('/page', async () => 'x'.repeat(MiB));
  const read = async (organization: string, workspace: string) =>
    (await app.inject({ url: '/page', headers: { organization, workspace } })).statusCode;
  expect(await read('a', 'workspace-0')).toBe(200);
  expect(new HeldAnswer(budget, aResponse(), 'a').hold(0, 8 * MiB, true)).toBe(true);
  for (let n = 0; n < 20; n += 1) expect(await read('a', `workspace-${n}`)).toBe(503);
  expect(await read('b', 'workspace-b')).toBe(200);
  await app.close();
});

test('the answer to a HEAD, which is made like that to a GET, counts as that does', async () => {
  const budget = new AnswerBudget(4 * MiB);
  const app = Fastify();
  installProblems(app, openLogger({ LOG_LEVEL: 'silent' }, 'test'));
  app.decorateRequest('record', null as never);
  app.addHook('onRequest', async (request) => {
    Object.assign(request, { principal: { kind: 'key', organizationId: 'a' } });
  });
  installGuards(app, [answerBudgetGuard(budget)]);
  installAnswerBudget(app, budget);
  app.get('/page', async () => 'x'.repeat(MiB));
  const ask = () => app.inject({ method: 'HEAD', url: '/page' });
  const counted = vi.spyOn(budget.throttle, 'count');
  const answer = await ask();
  expect([answer.statusCode, answer.body, answer.headers['content-length']]).toEqual([200, '', String(MiB)]);
  expect(counted.mock.calls).toEqual([['a', MiB]]);
  expect(new HeldAnswer(budget, aResponse(), 'a').hold(0, 2 * MiB, true)).toBe(true);
  expect((await ask()).statusCode).toBe(503);
  await app.close();
});

test('answers count with their bytes, whatever they are written in', async () => {
  const text = '漢'.repeat(MiB);
  const app = Fastify();
  installProblems(app, openLogger({ LOG_LEVEL: 'silent' }, 'test'));
  app.addHook('onRequest', async (request) => {
    Object.assign(request, { principal: { kind: 'key', organizationId: 'a' } });
  });
  installAnswerBudget(app, new AnswerBudget(2 * MiB));
  app.get('/page', async () => text);
  expect((await app.inject({ url: '/page' })).statusCode).toBe(503);
  await app.close();
  const budget = new AnswerBudget(64 * MiB);
  const [one, several] = [aResponse(), aResponse()];
  const call = { method: 'messages.getHistory', params: {}, timeoutMs: WAIT_MS } as CallRequest;
  const reply = { status: 200, offset: null, headers: {}, body: text };
  const single = new SingleAnswerMemory(budget, one, 'a');
  void single.reserve(call);
  expect(single.hold(call, reply)).toBeNull();
  expect(budget.bytes).toBe(3 * MiB);
  const bulk = new BulkAnswerMemory(budget, several, 'a');
  void bulk.reserve(call);
  expect(bulk.hold(call, reply)).toBeNull();
  expect(budget.bytes).toBe(6 * MiB);
});

describe('the answers of one bulk', () => {
  const aCall = (method: string, params = {}) => ({ method, params }) as CallRequest;
  const aReply = (bytes: number) => ({ status: 200, offset: null, headers: {}, body: 'x'.repeat(bytes) });

  test('calls for whose answers there is no room do not run', async () => {
    const budget = new AnswerBudget(64 * MiB);
    const memory = new BulkAnswerMemory(budget, aResponse(), 'a');
    let ran = 0;
    const outcomes = await Promise.allSettled(
      Array.from({ length: 100 }, async () => {
        const call = aCall('upload.getFile', { limit: MiB });
        await memory.reserve(call);
        ran += 1;
        await new Promise((resolve) => setImmediate(resolve));
        expect(memory.hold(call, aReply(1.4 * MiB))).toBeNull();
      }),
    );
    expect(ran).toBe(5);
    const refused = outcomes.filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(95);
    expect(refused[0]).toMatchObject({ reason: { code: 'answers_too_large', status: 413, retryable: true } });
    expect(budget.bytes).toBeLessThan(8 * MiB);
  });

  test('many answers that are small each are counted together', () => {
    const budget = new AnswerBudget(4 * MiB);
    const responses = Array.from({ length: 10 }, aResponse);
    const statuses = responses.map((response) => {
      const memory = new BulkAnswerMemory(budget, response, 'a');
      const calls = Array.from({ length: 100 }, () => aCall('messages.getMessages'));
      return calls.filter((call) => {
        try {
          void memory.reserve(call);
        } catch {
          return false;
        }
        return memory.hold(call, aReply(8_000)) === null;
      }).length;
    });
    // Half of the budget, and the free beginning of each response.
    expect(statuses.reduce((sum, count) => sum + count)).toBeLessThan(280);
    expect(budget.bytes).toBeGreaterThan(1.8 * MiB);
    expect(budget.bytes).toBeLessThanOrEqual(2 * MiB);
    for (const response of responses) response.end();
    expect(budget.bytes).toBe(0);
  });

  test('a hundred writes run at once, and a read that answers far more than expected is dropped', () => {
    const memory = new BulkAnswerMemory(new AnswerBudget(64 * MiB), aResponse(), 'a');
    const writes = Array.from({ length: 98 }, () => aCall('messages.sendMessage'));
    for (const call of writes) expect(memory.reserve(call)).toBeNull();
    const reads = [aCall('messages.getHistory'), aCall('messages.getHistory')];
    for (const call of reads) expect(memory.reserve(call)).toBeNull();
    expect(memory.hold(reads[0] as CallRequest, aReply(6 * MiB))).toBeNull();
    expect(memory.hold(reads[1] as CallRequest, aReply(6 * MiB))?.code).toBe('answers_too_large');
    for (const call of writes) expect(memory.hold(call, aReply(1_000))).toBeNull();
  });
});
