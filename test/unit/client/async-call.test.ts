import { expect, test } from 'vitest';
import { Client } from '../../../src/client/client.ts';
import type { TryOptions } from '../../../src/client/options.ts';
import { Problem } from '../../../src/problem.ts';

/** The questions about a call that has ended when it is asked about for the second time, and when they came. */
async function questionsOf(options: TryOptions, defaults: TryOptions = {}) {
  const questions: { path: string; at: number }[] = [];
  const fetch = async (url: unknown) => {
    questions.push({ path: String(url).replace(/.*\/v1/, ''), at: performance.now() });
    const end = { status: 'succeeded', result: { _: 'boolTrue' }, txid: 7, error: null };
    return Response.json(questions.length === 1 ? { status: 'queued', error: null } : end);
  };
  const client = new Client({ url: 'http://127.0.0.1:1', key: 'none', fetch, ...defaults });
  expect(await client.asyncCall('call_1').outcome(options)).toEqual({ result: { _: 'boolTrue' }, txid: 7 });
  return questions;
}

test.each([
  [30, {}, {}],
  [20, { timeoutMs: 30_000 }, {}],
  [10, { attemptTimeoutMs: 15_000 }, { attemptTimeoutMs: 60_000 }],
  [2, {}, { timeoutMs: 3_000 }],
])('the API waits %i s for the end of a call within %j, %j', async (seconds, options, defaults) => {
  const path = `/calls/call_1?wait=${seconds}`;
  expect(await questionsOf(options, defaults)).toMatchObject([{ path }, { path }]);
});

test('where no wait fits into the limits, questions are a second apart', async () => {
  const questions = await questionsOf({ timeoutMs: 1_000 });
  const [first, second] = questions.map(({ at }) => at) as [number, number];
  expect(questions).toMatchObject([{ path: '/calls/call_1' }, { path: '/calls/call_1' }]);
  // Timers count whole milliseconds.
  expect(second - first).toBeGreaterThan(998);
});

/** What comes of a call whose questions are answered like this, one after another, and the questions. */
async function outcomeAfter(attempts: number, ...answers: (object | Problem)[]) {
  const asked: string[] = [];
  const fetch = async (url: unknown) => {
    asked.push(String(url).replace(/.*call_1/, ''));
    const answer = answers[asked.length - 1] as object;
    if (!(answer instanceof Problem)) return Response.json(answer);
    return new Response(JSON.stringify(answer), { status: answer.status, headers: { 'retry-after': '1' } });
  };
  const client = new Client({ url: 'http://127.0.0.1:1', key: 'none', fetch, attempts });
  const outcome = await client
    .asyncCall('call_1')
    .outcome()
    .catch((error) => error);
  return { asked, outcome };
}

test('a call is waited for though the key has as many waits open as it may', async () => {
  const queued = { status: 'queued', error: null };
  const refusal = new Problem('rate_limited');
  const start = performance.now();
  const end = { status: 'succeeded', result: { _: 'boolTrue' }, txid: 7, error: null };
  expect(await outcomeAfter(1, refusal, queued, refusal, queued, end)).toMatchObject({
    asked: ['?wait=30', '', '?wait=30', '', '?wait=30'],
    outcome: { txid: 7 },
  });
  expect(performance.now() - start).toBeGreaterThan(1_990);
  expect(await outcomeAfter(1, refusal, end)).toMatchObject({ outcome: { txid: 7 } });
  expect(await outcomeAfter(1, refusal, refusal)).toMatchObject({ outcome: { code: 'rate_limited' } });
});

test('a refused wait is not repeated: the call is asked for at once', async () => {
  const end = { status: 'succeeded', result: { _: 'boolTrue' }, txid: 7, error: null };
  expect(await outcomeAfter(20, new Problem('rate_limited'), end)).toMatchObject({
    asked: ['?wait=30', ''],
    outcome: { txid: 7 },
  });
});

test('a call that is not async is not made at once because its schedule is ignored', async () => {
  const fetch = () => Promise.reject(new Error('it was made'));
  const account = new Client({ url: 'http://127.0.0.1:1', key: 'none', fetch }).account('ws_1', 'acc_1');
  const options = { scheduleAt: new Date(Date.now() + 60_000) } as object;
  await expect(account.messages.readMessageContents({ id: [1] }, options)).rejects.toThrow(
    'Only a single async call has scheduleAt',
  );
  expect(() => account.prepare.messages.readMessageContents({ id: [1] }, options)).toThrow(TypeError);
});

test('the error of a call that failed says how long the messenger asks to wait', async () => {
  const problem = { code: 'FLOOD_WAIT', title: 'No', status: 429, retryable: true, retryAfter: 30 };
  const failed = { status: 'failed', result: null, txid: 7, error: problem };
  expect(await outcomeAfter(1, failed)).toMatchObject({ outcome: { retryAfterMs: 30_000 } });
  const canceled = { ...failed, status: 'canceled', error: { ...problem, retryAfter: undefined } };
  expect(await outcomeAfter(1, canceled)).toMatchObject({ outcome: { retryAfterMs: null } });
});
