import { expect, test } from 'vitest';
import { Client } from '../../../src/client/client.ts';
import type { TryOptions } from '../../../src/client/options.ts';

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
