import { getEventListeners, once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { Client } from '../../../src/client/client.ts';
import { ApiError, NoAnswerError, type SwitchboardError } from '../../../src/client/errors.ts';
import { readProblem, readRetryAfter } from '../../../src/client/http/read-problem.ts';
import {
  leavesInDoubt,
  mayBeRecorded,
  mayPass,
  retrying,
  waitAfter,
} from '../../../src/client/http/retry.ts';
import { sleep } from '../../../src/client/http/sleep.ts';
import { readEvents } from '../../../src/client/updates/read-events.ts';

test('Retry-After is a number of seconds or a date', () => {
  const now = Date.parse('2026-01-01T00:00:00Z');
  expect(readRetryAfter('3', now)).toBe(3_000);
  expect(readRetryAfter('Thu, 01 Jan 2026 00:00:05 GMT', now)).toBe(5_000);
  expect(readRetryAfter('Wed, 31 Dec 2025 00:00:00 GMT', now)).toBe(0);
  expect(readRetryAfter('soon', now)).toBeNull();
  expect(readRetryAfter(null, now)).toBeNull();
});

test.each([
  ...['localhost:3000', '127.0.0.1:3000', '', 'ftp://example.com'],
  ...['http://a/?b=c', 'http://a#b', 'http://a/?', 'http://a/#'],
])('%j is no address of an API', (url) => {
  expect(() => new Client({ url, key: 'none' })).toThrow(
    new TypeError(
      `"${url}" is no address of an API: write it whole, without user and query, such as http://127.0.0.1:3000.`,
    ),
  );
});

test('an address with a user is refused at once, and its password not told', () => {
  for (const url of ['http://user:geheim@127.0.0.1:1', 'https://geheim@127.0.0.1/switchboard'])
    expect(() => new Client({ url, key: 'none' })).toThrow(/^"https?:\/\/…@127/);
  // A password with a slash, and no scheme.
  for (const url of ['http://user:ge/heim@127.0.0.1:1', 'user:geheim@127.0.0.1:1'])
    expect(() => new Client({ url, key: 'none' })).toThrow(/^"(http:\/\/)?…@127/);
});

test('a refused connection to a name with several addresses is told by its code', () => {
  const cause = Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' });
  expect(new NoAnswerError(new TypeError('fetch failed', { cause })).message).toBe(
    'No answer came: ECONNREFUSED',
  );
  expect(new NoAnswerError(new TypeError('fetch failed')).message).toBe('No answer came: fetch failed');
});

test('what has other characters than printable ASCII is no API key', () => {
  for (const key of ['“none”', 'none\nother', undefined as never]) {
    expect(() => new Client({ url: 'http://127.0.0.1:1', key })).toThrow('The key is no API key');
  }
  // As it is read from a file.
  new Client({ url: 'http://127.0.0.1:1', key: 'none\n' });
});

test.each([
  [{ code: 'overloaded', retryable: true }, 503, true],
  [{ code: 'outcome_unknown', retryable: false }, 502, true],
  [{ code: 'invalid_params', retryable: false }, 400, false],
  ['<html>Bad Gateway</html>', 502, true],
  ['', 404, false],
  ['null', 413, false],
  ['{"code":"BAD_GATEWAY","message":"no backend"}', 502, true],
  ['{"code":"not_found"}', 404, false],
  ['<html>', 500, true],
  ['<html>', 520, true],
  ['<html>', 521, true],
  ['<html>', 522, true],
  ['<html>', 523, true],
  ['<html>', 524, true],
  ['<html>', 501, false],
  ['<html>', 525, false],
])('an answer %j with status %d may pass: %s', (body, status, passes) => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const error = readProblem(new Response(null, { status }), text);
  expect(mayPass(error)).toBe(passes);
  expect(error.code).toBe(typeof body === 'string' ? `http_${status}` : body.code);
});

const aProblem = (code: string, status: number, retryable = false) =>
  new ApiError({ type: 'about:blank', title: code, status, code, retryable });

/** The error of something whose attempts fail like this, one after another. */
function fateOf(failures: SwitchboardError[], doubts?: (error: unknown) => boolean): Promise<unknown> {
  const limits = { signal: undefined, attempts: failures.length, timeoutMs: 60_000, attemptMs: 1_000 };
  let attempts = 0;
  const attempt = () => {
    attempts += 1;
    return Promise.reject(failures[attempts - 1]);
  };
  return retrying(limits, attempt, doubts).catch((error) => error);
}

test('a call whose answer was lost is not called refused by what refuses its repetition', async () => {
  const lost = () => new NoAnswerError(new Error('cut'));
  for (const refusal of [aProblem('unauthorized', 401), aProblem('overloaded', 503, true)]) {
    const error = await fateOf([lost(), refusal], leavesInDoubt);
    expect(error).toBeInstanceOf(NoAnswerError);
    expect(error).toMatchObject({ attempts: 2, cause: refusal });
    expect(await fateOf([lost(), refusal])).toBe(refusal);
    expect(await fateOf([refusal], leavesInDoubt)).toBe(refusal);
  }
  // What is said of the key, or by the messenger, is said of the call itself.
  for (const said of [aProblem('PEER_ID_INVALID', 400), aProblem('idempotency_key_reused', 422)])
    expect(await fateOf([lost(), said], leavesInDoubt)).toBe(said);
});

test.each([
  ['a call of unknown outcome', aProblem('outcome_unknown', 502), true, true],
  ['a failure of the API', aProblem('internal', 500, true), true, true],
  ['a call under way', aProblem('call_in_flight', 409, true), true, true],
  ['a proxy that lost the answer', readProblem(new Response(null, { status: 502 }), '<html>'), true, true],
  ['a proxy that waited in vain', readProblem(new Response(null, { status: 504 }), '<html>'), true, true],
  ['a proxy that failed', readProblem(new Response(null, { status: 500 }), '<html>'), true, true],
  ['a CDN that got no whole answer', readProblem(new Response(null, { status: 520 }), '<html>'), true, true],
  ['a CDN that waited in vain', readProblem(new Response(null, { status: 524 }), '<html>'), true, true],
  ['a proxy without a backend', readProblem(new Response(null, { status: 503 }), '<html>'), false, false],
  ['a lost Redis', aProblem('unavailable', 503, true), false, true],
  ['a refusal', aProblem('overloaded', 503, true), false, false],
])('what an attempt may have done is in doubt after %s', async (_, first, isCall, isRecorded) => {
  for (const [doubts, leaves] of [[leavesInDoubt, isCall] as const, [mayBeRecorded, isRecorded] as const]) {
    const refusal = aProblem('rate_limited', 429, true);
    const error = await fateOf([first, refusal], doubts);
    expect(error instanceof NoAnswerError ? error.cause : error).toBe(refusal);
    expect(error instanceof NoAnswerError).toBe(leaves);
  }
});

test.each([2 ** 31, Number.POSITIVE_INFINITY])('a limit of %d ms is not over at once', async (ms) => {
  const limits = { signal: undefined, attempts: 1, timeoutMs: ms, attemptMs: ms };
  expect(await retrying(limits, () => sleep(50).then(() => 'done'))).toBe('done');
});

test('the waits grow up to a bound, and differ', () => {
  for (const failures of [1, 2, 5, 20, 5_000]) {
    const longest = Math.min(200 * 2 ** (failures - 1), 3_000);
    const waits = Array.from({ length: 50 }, () => waitAfter(failures));
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(longest / 2);
    expect(Math.max(...waits)).toBeLessThanOrEqual(longest);
    expect(new Set(waits).size).toBeGreaterThan(1);
  }
});

test('a signal has one listener, however many wait with it, and none afterwards', async () => {
  const stop = new AbortController();
  const listeners = () => getEventListeners(stop.signal, 'abort').length;
  const limits = { signal: stop.signal, attempts: 1, timeoutMs: 60_000, attemptMs: 1_000 };
  const short = Array.from({ length: 20 }, (_, at) => retrying(limits, () => sleep(at, stop.signal)));
  expect(listeners()).toBe(1);
  await Promise.all(short);
  expect(listeners()).toBe(0);
  const long = Array.from({ length: 20 }, () => retrying(limits, () => sleep(60_000, stop.signal)));
  stop.abort(new Error('enough'));
  for (const one of await Promise.allSettled(long))
    expect(one).toMatchObject({ reason: { message: 'enough' } });
  expect(listeners()).toBe(0);
  await expect(sleep(60_000, stop.signal)).rejects.toThrow('enough');
});

test('events are the same however they are cut into pieces, and one that is not whole is none', async () => {
  const text =
    'retry: 5\n: welcome\n\nid: 1\nevent: data\ndata:["Grüße"]\n\nid:2\r\ndata: a\r\ndata: b\r\n\r\nid: 3\ndata: x\n';
  const bytes = new TextEncoder().encode(text);
  for (const size of [1, 2, 3, 7, bytes.length]) {
    const events = [];
    for await (const event of readEvents(inPieces(bytes, size), 1_000, undefined)) events.push(event);
    expect(events).toEqual([
      { id: '1', event: 'data', data: '["Grüße"]' },
      { id: '2', event: 'message', data: 'a\nb' },
    ]);
  }
});

test.each([301, 302, 307, 308])(
  'a redirect (%d) is not followed, and the error says where to',
  async (status) => {
    const asked: (string | undefined)[] = [];
    const server = createServer(({ url, headers }, response) => {
      asked.push(url);
      response.writeHead(status, { location: `https://${headers.host}/elsewhere${url}` }).end();
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    try {
      const client = new Client({ url: `http://127.0.0.1:${port}`, key: 'none' });
      const said = `http_${status}: The answer is a redirect to https://127.0.0.1:${port}/elsewhere/`;
      for (const request of [
        () => client.account('ws_1', 'acc_1').help.getConfig(),
        () => client.list('workspaces').next(),
      ])
        await expect(request()).rejects.toMatchObject({ status, message: expect.stringContaining(said) });
      expect(asked).toHaveLength(2);
    } finally {
      server.close();
    }
  },
);

test('a stream that says nothing for too long is given up', async () => {
  const silent = new ReadableStream<Uint8Array>({});
  await expect(readEvents(silent, 20, undefined).next()).rejects.toThrow(NoAnswerError);
});

function inPieces(bytes: Uint8Array, size: number): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.subarray(at, at + size));
      controller.close();
    },
  });
}

test('what is logged or written as JSON does not have the key', () => {
  const client = new Client({ url: 'http://127.0.0.1:1', key: 'sb_secret' });
  const things = { client, workspace: client.workspace('ws_1'), call: client.asyncCall('call_1') };
  expect(inspect({ ...things, account: things.workspace.account('acc_1') }, { depth: null })).not.toContain(
    'sb_secret',
  );
  expect(JSON.parse(JSON.stringify(things))).toEqual({
    client: {},
    workspace: { id: 'ws_1' },
    call: { id: 'call_1' },
  });
});
