import type { Redis } from 'ioredis';

/** What Redis was asked to do between two moments. */
export interface RedisStats {
  /** Commands run, those inside scripts included. */
  commands: number;
  /** Script runs. */
  scripts: number;
  /** Seconds spent in scripts. */
  scriptSeconds: number;
  byCommand: Record<string, { calls: number; seconds: number }>;
}

const LINE = /^cmdstat_([^:]+):calls=(\d+),usec=(\d+)/gm;

/** Begins to count anew. */
export async function resetRedisStats(redis: Redis): Promise<void> {
  await redis.config('RESETSTAT');
}

/** What has been counted. */
export async function readRedisStats(redis: Redis): Promise<RedisStats> {
  const text = await redis.info('commandstats');
  const byCommand: RedisStats['byCommand'] = {};
  for (const [, command = '', calls, micros] of text.matchAll(LINE)) {
    byCommand[command] = {
      calls: Number(calls),
      seconds: Number(micros) / 1e6,
    };
  }
  const scripts = ['evalsha', 'eval', 'fcall'].map((name) => byCommand[name] ?? { calls: 0, seconds: 0 });
  return {
    commands: Object.values(byCommand).reduce((sum, { calls }) => sum + calls, 0),
    scripts: scripts.reduce((sum, { calls }) => sum + calls, 0),
    scriptSeconds: scripts.reduce((sum, { seconds }) => sum + seconds, 0),
    byCommand,
  };
}
