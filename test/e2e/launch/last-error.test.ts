import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestRedis, type TestRedis } from '../../support/redis/redis.ts';

const PRIVATE = 'what-a-caller-sent';
const urlOf = (file: string) => JSON.stringify(new URL(`../../../src/${file}`, import.meta.url).href);

/** Sends a command that Redis refuses, and leaves its error to Node, which also prints the line of the program. */
const programOf = (command: string, wrap: string) => `
  const { PRIVATE } = process.env;
  const { runProcess } = await import(${urlOf('run-process.ts')});
  const { openRedis, untilReady } = await import(${urlOf('redis/connections.ts')});
  await runProcess('test', async (config) => {
    const redis = openRedis(config.REDIS_URL, 'worker', () => undefined);
    await untilReady(redis);
    await redis.call(${command}).catch((error) => Promise.reject(${wrap}));
  });
`;

let server: TestRedis;

beforeAll(async () => {
  server = await startTestRedis();
});
afterAll(() => server.stop());

it.each([
  ['a command', "'SET', 'key', PRIVATE, 'WRONG'", 'error', 'syntax error'],
  ['an unknown command', "'UNKNOWN', PRIVATE", 'error', 'unknown command'],
  ['one of several', "'SET', 'key', PRIVATE, 'WRONG'", 'new AggregateError([error])', 'syntax error'],
  ['a cause', "'SET', 'key', PRIVATE, 'WRONG'", "new Error('other', { cause: error })", 'syntax error'],
  [
    'one beside an error of the platform',
    "'SET', 'key', PRIVATE, 'WRONG'",
    "new AggregateError([new DOMException('too late', 'TimeoutError'), error])",
    'syntax error',
  ],
])('prints no arguments of %s whose refusal ends the process', async (_, command, wrap, said) => {
  const { code, stderr } = await run(programOf(command, wrap));
  expect(code).toBe(1);
  expect(stderr).toContain(said);
  expect(stderr).not.toContain(PRIVATE);
});

function run(program: string): Promise<{ code: unknown; stderr: string }> {
  const cwd = fileURLToPath(new URL('../../..', import.meta.url));
  const env = { ...process.env, REDIS_URL: server.url, PRIVATE };
  const args = ['--import', 'tsx', '--input-type=module', '-e', program];
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd, env }, (error, _stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stderr }),
    );
  });
}
