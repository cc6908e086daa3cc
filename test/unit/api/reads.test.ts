import { EventEmitter } from 'node:events';
import type { FastifyRequest } from 'fastify';
import { expect, test, vi } from 'vitest';
import { Reads } from '../../../src/api/limits/reads.ts';
import type { RedisConnection } from '../../../src/redis/connections.ts';
import type { UpdateBatch } from '../../../src/updates/read-updates.ts';

const MiB = 1024 * 1024;

const batch = { entries: [{ size: MiB }], next: '1', upToDate: true } as UpdateBatch;
const small = { ...batch, entries: Array.from({ length: 1_024 }, () => ({ size: 1 })) } as UpdateBatch;

function aRequest(organizationId: string): FastifyRequest {
  const principal = { kind: 'key', keyId: 'k', organizationId };
  return { principal, raw: { socket: new EventEmitter() } } as unknown as FastifyRequest;
}

test.each([
  ['large', batch],
  ['small', small],
])(
  'of the updates of an organization 32 MiB a second are read, after 16 at once: %s ones',
  async (_, batch) => {
    const reads = new Reads({} as RedisConnection, { SUBSCRIBERS_PER_KEY: 1 });
    const read = (organizationId: string) => reads.runPaced(aRequest(organizationId), async () => batch, {});
    vi.useFakeTimers();
    let count = 0;
    const all = (async () => {
      for (; count < 48; count += 1) await read('a');
    })();
    await vi.advanceTimersByTimeAsync(800);
    expect(count).toBeGreaterThan(16);
    expect(count).toBeLessThan(48);
    const other = read('b');
    await vi.advanceTimersByTimeAsync(1);
    expect(await other).toBe(batch);
    await vi.advanceTimersByTimeAsync(1_000);
    await all;
    vi.useRealTimers();
  },
);
