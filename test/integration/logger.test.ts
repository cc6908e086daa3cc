import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Logger, muteErrors, openLogger } from '../../src/logger.ts';
import { Problem } from '../../src/problem.ts';
import { Script } from '../../src/redis/script.ts';
import { TestApi } from '../support/api/api.ts';
import { eventually } from '../support/eventually.ts';

const PRIVATE = 'what-a-caller-sent';

let lines: string[] = [];
let api: TestApi;
let log: Logger;

beforeAll(async () => {
  const logTo = { write: (line: string) => void lines.push(line) };
  api = await TestApi.start({ LOG_LEVEL: 'info' }, { logTo });
  log = openLogger({ LOG_LEVEL: 'info' }, 'test', logTo);
  await api.redis.set('text', 'no stream');
});
beforeEach(() => {
  lines = [];
  // Test files share the logger, and what another one watched may be away for good.
  muteErrors(() => false);
});
afterAll(() => api.stop());

async function refusalOf(command: Promise<unknown>): Promise<Error> {
  return command.then(
    () => expect.fail('the command was not refused'),
    (error: Error) => error,
  );
}

function onlyLine() {
  expect(lines).toHaveLength(1);
  const [line = ''] = lines;
  expect(line).not.toContain(PRIVATE);
  return JSON.parse(line);
}

/** Every way in which Redis refuses a command: each error carries what was sent, which the first test makes sure of. */
const REFUSALS: [string, () => Promise<unknown>, string][] = [
  ['a command', () => api.redis.xadd('text', '*', 'params', PRIVATE), 'xadd'],
  [
    'a script',
    () =>
      new Script("return redis.call('XADD', KEYS[1], '*', 'a', ARGV[1])").run(api.redis, ['text'], [PRIVATE]),
    'evalsha',
  ],
  [
    'a command of a pipeline',
    async () => {
      const [[error] = []] = (await api.redis.pipeline().xadd('text', '*', 'a', PRIVATE).exec()) ?? [];
      throw error;
    },
    'xadd',
  ],
  ['a command that it does not know', () => api.redis.call('nonsense', 'text', PRIVATE), 'nonsense'],
];

describe.each(REFUSALS)('of %s that Redis refuses', (_name, refused, command) => {
  test('an error carries what was sent', async () => {
    const error = await refusalOf(refused());
    expect(JSON.stringify({ ...error, message: error.message })).toContain(PRIVATE);
  });

  test('the log tells the name, and why, and nothing of what was sent', async () => {
    log.warn({ err: await refusalOf(refused()) }, 'refused');
    const { err } = onlyLine();
    expect(err.command).toBe(command);
    expect(err.message).toMatch(/WRONGTYPE|unknown command/);
    expect(err.stack).toContain('ReplyError');
  });

  test('nor where another error holds that one', async () => {
    const cause = await refusalOf(refused());
    for (const err of [
      new Problem('unavailable', { cause }),
      new Error('outer', { cause: new Problem('internal', { cause }) }),
      Object.assign(new Error('no node answered'), { lastNodeError: cause, previousErrors: [cause] }),
      new AggregateError([cause, new Problem('internal', { cause })], 'several'),
    ]) {
      lines = [];
      log.error({ err }, 'failed');
      expect(JSON.stringify(onlyLine().err)).toMatch(/WRONGTYPE|unknown command/);
    }
  });
});

test('the log of a request that Redis refused tells nothing of its body', async () => {
  await api.redis.config('SET', 'maxmemory', '1');
  try {
    const answer = await api.request('POST', '/v1/organizations', { name: PRIVATE });
    expect(answer).toMatchObject({ status: 503, body: { code: 'unavailable' } });
  } finally {
    await api.redis.config('SET', 'maxmemory', '0');
  }
  expect(onlyLine()).toMatchObject({
    msg: 'request not served',
    err: { message: expect.stringMatching(/^OOM /) },
  });
});

test('what requests log follows the level that is set at run time', async () => {
  const told = async () => {
    lines = [];
    await api.request('POST', '/v1/messenger-accounts', { name: 'x', workspaceId, driver: 'sandbox' });
    return lines.filter((line) => line.includes('request not served')).length;
  };
  const { workspaceId } = await api.aTenant();
  api.book.failWith = new Problem('unavailable');
  expect(await told()).toBe(1);
  await api.ok('PATCH', '/v1/settings', { logLevel: 'silent' });
  expect(await told()).toBe(0);
  await api.ok('PATCH', '/v1/settings', { logLevel: null });
  expect(await told()).toBe(1);
  api.book.failWith = null;
});

test('so many requests of a tenant that are not served have a line each second', async () => {
  const { organizationId, workspaceId } = await api.aTenant();
  const key = await api.aKey({ organizationId }, ['accounts:write']);
  const wanted = { name: 'x', workspaceId, driver: 'sandbox' };
  api.book.failWith = new Problem('unavailable');
  // It stays the same second.
  vi.useFakeTimers({ toFake: ['performance'] });
  try {
    lines = [];
    for (let count = 0; count < 30; count += 1)
      expect((await api.request('POST', '/v1/messenger-accounts', wanted, { key })).status).toBe(503);
  } finally {
    vi.useRealTimers();
    api.book.failWith = null;
  }
  expect(lines.filter((line) => line.includes('request not served'))).toHaveLength(20);
  await eventually(() => lines.some((line) => line.includes('were left out')));
});

test('a call that cannot be served has one line, which says why', async () => {
  const { workspaceId, accountId } = await api.aTenant();
  const why = "OOM command not allowed when used memory > 'maxmemory'.";
  const { submit } = api.deps.calls;
  api.deps.calls.submit = () => Promise.reject(Object.assign(new Error(why), { name: 'ReplyError' }));
  lines = [];
  const path = `/workspaces/${workspaceId}/messenger-accounts/${accountId}/call/help.getConfig`;
  try {
    expect((await api.request('POST', path, { params: {} })).body.code).toBe('unavailable');
  } finally {
    api.deps.calls.submit = submit;
  }
  expect(onlyLine()).toMatchObject({
    level: 40,
    msg: 'call failed',
    code: 'unavailable',
    err: { message: why },
  });
});

test('an error that is none of Redis keeps what tells of it', () => {
  const err = Object.assign(new Error('connect ECONNREFUSED'), {
    code: 'ECONNREFUSED',
    port: 7_000,
    self: null as unknown,
  });
  err.self = err;
  log.warn({ err }, 'lost');
  expect(onlyLine().err).toMatchObject({ message: err.message, code: 'ECONNREFUSED', port: 7_000 });
});
