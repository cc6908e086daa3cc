import { mastersOf, openRedis, untilReady } from '../../../src/redis/connections.ts';
import { updatesKey } from '../../../src/redis/keys.ts';
import { checkEntry } from './check-answer.ts';

/** An entry of an update stream as it lies in Redis. */
export interface KeptEntry {
  field(name: string): string | null;
  // biome-ignore lint/suspicious/noExplicitAny: updates are of any shape
  update: any;
  // biome-ignore lint/suspicious/noExplicitAny: and so are users and chats
  peers: { users: any[]; chats: any[] };
}

// Tests of load make many more, that are all alike.
const CHECKED_MAX = 10_000;

/** An entry, parsed. Throws for an update that is not as the TL schema describes it, or another after mtcute's binary writer and reader. */
export function readKeptEntry(fields: readonly string[]): KeptEntry {
  const field = (name: string) => {
    const index = fields.indexOf(name);
    return index === -1 ? null : (fields[index + 1] as string);
  };
  const update = JSON.parse(field('u') ?? 'null');
  const peers = JSON.parse(field('p') || '{"users":[],"chats":[]}') as KeptEntry['peers'];
  const errors = checkEntry({ update, ...peers });
  if (errors.length > 0) throw new Error(`update ${JSON.stringify(update)}: ${JSON.stringify(errors)}`);
  return { field, update, peers };
}

/**
 * Reads the entries of all update streams of a service, whether or not its test has, and gives how many it left out. Throws where its Redis
 * cannot be reached.
 */
export async function checkStreams(url: string, most = CHECKED_MAX): Promise<number> {
  const redis = openRedis(url, 'worker', () => undefined);
  let left = most;
  let skipped = 0;
  try {
    await untilReady(redis);
    for (const server of mastersOf(redis))
      for (const key of await server.keys(updatesKey('*'))) {
        const entries = await server.xrange(key, '-', '+', 'COUNT', Math.max(1, left));
        for (const [, fields] of entries) readKeptEntry(fields);
        left -= entries.length;
        skipped += (await server.xlen(key)) - entries.length;
      }
  } finally {
    redis.disconnect();
  }
  return skipped;
}
