import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { startTestRedis, type TestRedis } from '../support/redis/redis.ts';
import { Service } from '../support/service/service.ts';

// A command is waited for a few seconds, a call for half a minute; the machine may stand still besides.
const TOLD_WITHIN_MS = 12_000;

let service: Service;
let dir: string;
let restarted: TestRedis | undefined;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'switchboard-restart-'));
  // One server, always: it is its restart that is looked at.
  service = await Service.start({ cluster: false, redisArgs: ['--appendonly', 'yes', '--dir', dir] });
});

afterAll(async () => {
  await service.stop();
  await restarted?.stop();
  await rm(dir, { recursive: true, force: true });
});

it('answers within seconds while Redis is away, recovers by itself, and has neither lost nor doubled a message', async () => {
  const { id } = await service.aWorkspace();
  const [from, to] = await Promise.all([service.anAccount(id), service.anAccount(id)]);
  const peer = { _: 'inputPeerUser', userId: to.userId, accessHash: '0' };
  const answers: { text: string; status: number; code: string; at: number; ms: number }[] = [];
  let stopped = false;

  async function caller(number: number): Promise<void> {
    for (let i = 0; !stopped; i += 1) {
      const text = `${number}/${i}`;
      const started = performance.now();
      const { status, body } = await service.call(from, 'messages.sendMessage', { peer, message: text });
      const ms = performance.now() - started;
      answers.push({ text, status, code: body.code ?? 'ok', at: started, ms });
      if (status !== 200) await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
  const callers = Array.from({ length: 16 }, (_, number) => caller(number));
  await eventually(() => answers.length > 500, { everyMs: 1, timeoutMs: 60_000 });
  const killedAt = performance.now();
  process.kill(service.redis.pid, 'SIGKILL');
  // All others may be waiting for the reply to what is queued already.
  callers.push(caller(callers.length));
  await eventually(() => answers.some(({ status }) => status === 503));
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  const backAt = performance.now();
  restarted = await startTestRedis({
    args: ['--appendonly', 'yes', '--dir', dir],
    port: service.redis.port,
  });
  const before = answers.length;
  await eventually(() => answers.slice(before).filter(({ status }) => status === 200).length > 500, {
    timeoutMs: 40_000,
  });
  stopped = true;
  await Promise.all(callers);

  const codes = [...new Set(answers.map(({ code }) => code))];
  const notRun = ['unavailable', 'call_timeout', 'overloaded'];
  expect(codes.filter((code) => !['ok', 'outcome_unknown', ...notRun].includes(code))).toEqual([]);
  const found: string[] = [];
  for (let offsetId = 0; ; ) {
    const page = await service.result(to, 'messages.getHistory', {
      peer: { _: 'inputPeerUser', userId: from.userId, accessHash: '0' },
      ...{ offsetId, offsetDate: 0, addOffset: 0, limit: 100, maxId: 0, minId: 0, hash: '0' },
    });
    if (page.messages.length === 0) break;
    found.push(...page.messages.map(({ message }: { message: string }) => message));
    offsetId = page.messages.at(-1).id;
  }
  // Who asked while Redis was away was told so within what a command is waited for.
  const refused = answers.filter(({ code }) => code === 'unavailable');
  expect(refused.length).toBeGreaterThan(0);
  expect(
    Math.max(...refused.filter(({ at }) => at > killedAt && at < backAt).map(({ ms }) => ms)),
  ).toBeLessThan(TOLD_WITHIN_MS);
  expect(new Set(found).size).toBe(found.length);
  const arrived = new Set(found);
  for (const { text, status, code } of answers) {
    if (status === 200) expect(arrived).toContain(text);
    if (notRun.includes(code)) expect(arrived).not.toContain(text);
  }
  for (const { child } of [...service.apis, ...service.workers]) expect(child.exitCode).toBeNull();
});
