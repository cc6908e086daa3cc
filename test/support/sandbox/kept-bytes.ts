import type { Redis } from 'ioredis';
import { Refused, type Sandbox, type SandboxAccount } from './sandbox.ts';

/** What a call has left in Redis, its recorded reply included, and what it has answered. */
export interface Kept {
  kept: number;
  reply: number;
  refusal: string | null;
}

/** The bytes of everything in Redis. */
export async function keptBytes({ redis }: Sandbox): Promise<number> {
  const pipeline = (redis as Redis).pipeline();
  for (const key of await redis.keys('*')) pipeline.call('MEMORY', 'USAGE', key, 'SAMPLES', '0');
  const sizes = (await pipeline.exec()) ?? [];
  return sizes.reduce((sum, [, size]) => sum + Number(size ?? 0), 0);
}

/** Calls a method, and measures what it keeps; a refusal is no error. */
export async function measureKept(
  sandbox: Sandbox,
  account: SandboxAccount,
  name: string,
  params: object,
): Promise<Kept> {
  const before = await keptBytes(sandbox);
  let reply = 0;
  let refusal: string | null = null;
  try {
    reply = JSON.stringify(await sandbox.call(account, name, params)).length;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    refusal = error.code;
  }
  return { reply, refusal, kept: (await keptBytes(sandbox)) - before };
}
