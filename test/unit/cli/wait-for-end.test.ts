import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { waitForEnd } from '../../../src/cli/setup/wait-for-end.ts';
import { ReportedFailure } from '../../../src/cli/terminal/failures.ts';
import { ApiError, NoAnswerError } from '../../../src/client/errors.ts';
import { Http } from '../../../src/client/http/http.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const out = { record: () => undefined, note: () => undefined };

/** Waits for a call, as `--timeout` says, at an API that answers so; gives how that ended, and after how many seconds. */
async function waiting(timeout: string, answer: (wait: number, count: number) => Response | null) {
  const startedAt = performance.now();
  let count = 0;
  const fetch = async (url: string, { signal }: { signal: AbortSignal }) => {
    const wait = Number(new URL(url).searchParams.get('wait'));
    count += 1;
    const given = answer(wait, count);
    if (given?.ok) await new Promise((resolve) => setTimeout(resolve, wait * 1_000));
    if (given !== null) return given;
    return new Promise<Response>((_, reject) =>
      signal.addEventListener('abort', () => reject(signal.reason)),
    );
  };
  const timeoutMs = Number(timeout) * 1_000;
  const options = { timeoutMs, attemptTimeoutMs: timeoutMs, attempts: 5 };
  const http = new Http({ url: 'http://127.0.0.1:1', key: 'none', fetch: fetch as never, ...options });
  const ended = waitForEnd({ http, out, options: { timeout } } as never, 'call_1').then(
    ({ status }) => status,
    (error) => error,
  );
  while ((await Promise.race([ended, null])) === null) await vi.advanceTimersByTimeAsync(100);
  return { end: await ended, seconds: (performance.now() - startedAt) / 1_000, count };
}

const call = (status: string) => Response.json({ status });

function refusal(headers: Record<string, string> = {}): Response {
  const problem = { type: 'about:blank', title: 'No', status: 429, code: 'rate_limited', retryable: true };
  return Response.json(problem, { status: 429, headers });
}

it('asks on while the API asks for patience, until the time is over', async () => {
  const { end } = await waiting('60', (_, count) => (count <= 12 ? refusal() : call('succeeded')));
  expect(end).toBe('succeeded');
  const refused = await waiting('60', () => refusal());
  expect(refused.end).toBeInstanceOf(ApiError);
  expect(refused.seconds).toBeGreaterThan(50);
  expect(refused.seconds).toBeLessThan(70);
  const late = await waiting('60', () => refusal({ 'retry-after': '100' }));
  expect(late).toMatchObject({ end: expect.any(ApiError), count: 1 });
});

it('waits for no answer much longer than it was told to', async () => {
  const { end, seconds } = await waiting('300', (wait) => (wait > 0 ? call('running') : null));
  expect(end).toBeInstanceOf(NoAnswerError);
  expect(seconds).toBeLessThan(315);
});

it('asks again where an attempt gets no answer', async () => {
  const { end } = await waiting('300', (_, count) => (count === 1 ? null : call('succeeded')));
  expect(end).toBe('succeeded');
});

it('waits out an API that is away, until the time is over', async () => {
  const away = () => {
    throw new TypeError('fetch failed');
  };
  const { end } = await waiting('60', (_, count) => (count <= 12 ? away() : call('succeeded')));
  expect(end).toBe('succeeded');
  const lost = await waiting('60', away);
  expect(lost.end).toBeInstanceOf(NoAnswerError);
  expect(lost.seconds).toBeGreaterThan(50);
  expect(lost.seconds).toBeLessThan(70);
});

it.each(['1', '2', '6', '31'])('waits for all of %s s, and no longer', async (timeout) => {
  const { end, seconds } = await waiting(timeout, () => call('running'));
  expect(end).toBeInstanceOf(ReportedFailure);
  expect(Math.abs(seconds - Number(timeout))).toBeLessThanOrEqual(0.2);
});

it('finds a call that ends in its last second, and one that has ended at once', async () => {
  const late = performance.now() + 1_500;
  const stateNow = () => call(performance.now() < late ? 'running' : 'succeeded');
  expect(await waiting('2', stateNow)).toMatchObject({ end: 'succeeded' });
  const { end, seconds } = await waiting('1', (wait) => (wait === 0 ? call('succeeded') : call('running')));
  expect([end, seconds < 2]).toEqual(['succeeded', true]);
});

it.each([
  ['an object', () => Response.json({ login: 'https://portal.example' })],
  ['nothing', () => new Response(null, { status: 204 })],
])('says of %s, which is no answer of the API, that it is none', async (_, answer) => {
  const { end } = await waiting('60', answer);
  expect(end).toBeInstanceOf(NoAnswerError);
  expect(end).toMatchObject({ message: expect.stringContaining('not an answer of the API') });
});
