import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { mastersOf, openRedis, type RedisConnection } from '../../src/redis/connections.ts';
import { type Account, Service } from '../support/service/service.ts';
import { callSteadily } from '../support/strangers/steady-calls.ts';
import { Victim } from '../support/strangers/victim.ts';

const MiB = 1024 * 1024;
const READERS = 2;
const MESSAGES = 100;
const FOR_MS = 10_000;
const SAMPLE_MS = 100;
/** Ten minutes of it tell more than ten seconds: `STEADY_SECONDS=600`. */
const STEADY_MS = Number(process.env.STEADY_SECONDS ?? 10) * 1_000;
const HISTORY = {
  ...{ peer: { _: 'inputPeerSelf' }, offsetId: 0, offsetDate: 0, addOffset: 0, limit: 100 },
  ...{ maxId: 0, minId: 0, hash: '0' },
};

let service: Service;
let victim: Victim;
let redis: RedisConnection;
let reader: Account;

beforeAll(async () => {
  service = await Service.start({ redisArgs: ['--maxmemory', '256mb'] });
  victim = await Victim.create(service);
  redis = openRedis(service.redis.url, 'request', () => undefined);
  reader = await service.anAccount((await service.aWorkspace()).id);
  const message = 'x'.repeat(160);
  for (let i = 0; i < MESSAGES; i++)
    await service.result(reader, 'messages.sendMessage', { peer: { _: 'inputPeerSelf' }, message });
});

afterAll(async () => {
  redis.disconnect();
  await service.stop();
});

it('keeps nothing of histories that were read in bulks', async () => {
  const before = await usedMemory();
  let most = before;
  const sampler = setInterval(
    () =>
      void usedMemory().then(
        (used) => (most = Math.max(most, used)),
        () => undefined,
      ),
    SAMPLE_MS,
  );
  const harm = await victim.during(async () => {
    const until = performance.now() + FOR_MS;
    const read = await Promise.all(Array.from({ length: READERS }, () => readUntil(until)));
    await sleep(SAMPLE_MS);
    return read.reduce((sum, bytes) => sum + bytes, 0);
  });
  clearInterval(sampler);
  process.stderr.write(
    `bulks of histories: ${(harm.result / MiB).toFixed(0)} MiB read, Redis ${((most - before) / MiB).toFixed(0)} MiB above, ` +
      `${harm.during.failures.length} of ${harm.during.calls} calls failed, p99 ${harm.during.p99Ms.toFixed(0)} ms (quiet ${harm.quiet.p99Ms.toFixed(0)})\n`,
  );
  expect(most - before).toBeLessThan(64 * MiB);
  expect(harm.during.failures).toEqual([]);
  expect(harm.during.maxMs, 'slowest in ms').toBeLessThan(1_000);
});

it(
  'keeps nothing of 150 answers of 64 kB a second',
  async () => {
    const calls = { method: 'messages.getHistory', params: HISTORY, perSecond: 150 };
    // Buffers of connections, scripts and the like have grown by then.
    await callSteadily(service, reader, { ...calls, forMs: 3_000 });
    const used: number[] = [];
    const sampler = setInterval(
      () =>
        void usedMemory().then(
          (bytes) => used.push(bytes),
          () => undefined,
        ),
      SAMPLE_MS,
    );
    const { answered, bytes, failures } = await callSteadily(service, reader, {
      ...calls,
      forMs: STEADY_MS,
    });
    clearInterval(sampler);
    const third = Math.floor(used.length / 3);
    const [early, late] = [median(used.slice(0, third)), median(used.slice(-third))];
    process.stderr.write(
      `steady answers: ${answered} of ${(bytes / answered / 1_000).toFixed(0)} kB, ${failures.length} failed, Redis ` +
        `${(early / MiB).toFixed(1)} MiB in the first third, ${(late / MiB).toFixed(1)} in the last, ` +
        `${(Math.max(...used) / MiB).toFixed(1)} at most\n`,
    );
    expect(failures).toEqual([]);
    expect(bytes / answered).toBeGreaterThan(50_000);
    expect(late - early).toBeLessThan(8 * MiB);
  },
  120_000 + STEADY_MS,
);

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

/** Reads bulks of histories one after another; gives their bytes. */
async function readUntil(until: number): Promise<number> {
  const call = { accountId: reader.id, method: 'messages.getHistory', params: HISTORY };
  const body = JSON.stringify({ calls: Array(100).fill(call) });
  const init = {
    method: 'POST',
    headers: { authorization: `Bearer ${service.rootKey}`, 'content-type': 'application/json' },
    body,
  };
  let bytes = 0;
  while (performance.now() < until) {
    const answer = await fetch(`${service.url}/workspaces/${reader.workspaceId}/calls`, init);
    bytes += (await answer.arrayBuffer()).byteLength;
  }
  return bytes;
}

async function usedMemory(): Promise<number> {
  const info = await Promise.all(mastersOf(redis).map((server) => server.info('memory')));
  return info.reduce((sum, text) => sum + Number(/^used_memory:(\d+)/m.exec(text)?.[1]), 0);
}
