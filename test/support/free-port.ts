import { once } from 'node:events';
import { createServer } from 'node:net';

// The system gives out none of these by itself, to whoever listens or connects; nor those 10,000 above, for the bus of a Redis Cluster.
const LOWEST_PORT = 12_000;
const PARTS = 8;
const PART = 1_000;

// Test files that run side by side look in parts of their own, and other runs on the machine begin elsewhere.
const part = Number(process.env.VITEST_POOL_ID ?? 0) % PARTS;
let last = Math.floor(Math.random() * PART);

/** A port of this machine that is free, and stays so until the test takes it. */
export async function findFreePort(): Promise<number> {
  for (let tries = 0; tries < PART; tries += 1) {
    last = (last + 1) % PART;
    const port = LOWEST_PORT + part * PART + last;
    if (await isPortFree(port)) return port;
  }
  throw new Error('no port is free');
}

export async function isPortFree(port: number): Promise<boolean> {
  const probe = createServer().listen(port, '127.0.0.1');
  // It rejects at an `error`.
  const isFree = await once(probe, 'listening').then(
    () => true,
    () => false,
  );
  if (isFree) await new Promise((resolve) => probe.close(resolve));
  return isFree;
}
