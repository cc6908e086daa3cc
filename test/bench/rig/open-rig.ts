import { randomBytes } from 'node:crypto';
import { Redis } from 'ioredis';
import { startTestRedis } from '../../support/redis/redis.ts';
import { DESIGNS, type DesignName } from '../designs/design.ts';
import { LoadProcess } from './load-process.ts';
import { Management } from './management.ts';
import { type BenchCustomer, seedCustomer, toPeer } from './seed-customer.ts';
import { type DesignSize, type StartedDesign, startDesign } from './start-design.ts';

/** Everything a scenario measures with: one Redis, the designs beside each other on it, and a process that offers load. */
export interface Rig {
  redis: Redis;
  redisUrl: string;
  redisPid: number;
  management: Management;
  customer: BenchCustomer;
  designs: StartedDesign[];
  load: LoadProcess;
  close(): Promise<void>;
}

/** What a scenario asks for. */
export interface RigOptions extends DesignSize {
  designs: readonly DesignName[];
}

// As in production; only that no rewrite of the file may fall on one design and not on the other.
const REDIS_OPTIONS = [
  '--appendonly',
  'yes',
  '--appendfsync',
  'everysec',
  '--auto-aof-rewrite-percentage',
  '0',
];

const READY_TRIES = 100;

/** Starts a rig; what has been started is stopped again when something fails. */
export async function openRig(options: RigOptions): Promise<Rig> {
  const closers: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const closer of closers.splice(0).reverse()) await closer().catch(() => undefined);
  };
  try {
    return await assemble(options, closers, close);
  } catch (error) {
    await close();
    throw error;
  }
}

async function assemble(
  options: RigOptions,
  closers: (() => Promise<unknown>)[],
  close: () => Promise<void>,
): Promise<Rig> {
  const server = await startTestRedis({ args: REDIS_OPTIONS });
  closers.push(() => server.stop());
  const redis = new Redis(server.url, { retryStrategy: () => null });
  closers.push(() => redis.shutdown('NOSAVE'));
  const load = new LoadProcess();
  closers.push(() => load.stop());
  const rootKey = randomBytes(24).toString('base64url');
  // The service seeds the workspace for all.
  const needed = DESIGNS.filter(({ name }) => name === 'service' || options.designs.includes(name));
  const starting = await Promise.allSettled(
    needed.map((design) => startDesign(design, { redisUrl: server.url, rootKey }, options)),
  );
  const designs = starting.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  for (const started of designs) closers.push(() => started.stop());
  for (const one of starting) if (one.status === 'rejected') throw one.reason;
  const management = new Management(designs[0]?.ports[0] ?? 0, rootKey);
  const customer = await seedCustomer(management, 'bench');
  for (const { design, ports } of designs) {
    for (const port of ports) await untilCallsRun(new Management(port, rootKey), customer, design.label);
  }
  const wanted = designs.filter(({ design }) => options.designs.includes(design.name));
  return {
    redis,
    redisUrl: server.url,
    redisPid: server.pid,
    management,
    customer,
    designs: wanted,
    load,
    close,
  };
}

// A worker may still be connecting when its API process answers.
async function untilCallsRun(management: Management, customer: BenchCustomer, label: string): Promise<void> {
  const params = { peer: toPeer(customer.reader), message: 'Are you there?' };
  for (let attempt = 1; ; attempt += 1) {
    try {
      await management.call(customer.sender, 'messages.sendMessage', params);
      return;
    } catch (error) {
      if (attempt === READY_TRIES) throw new Error(`${label} answers no calls: ${(error as Error).message}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
