import { callName, EXPIRING } from '../../src/async-calls/call-keys.ts';
import { listWorkspacesWithCalls } from '../../src/async-calls/due-workspaces.ts';
import { endCall, keyDeleted } from '../../src/async-calls/end-call.ts';
import { findCall } from '../../src/async-calls/find-call.ts';
import type { ApiKey } from '../../src/directory/collections.ts';
import type { RedisConnection } from '../../src/redis/connections.ts';
import { STOP_CHANNEL, stateKey } from '../../src/redis/keys.ts';
import { Script } from '../../src/redis/script.ts';
import type { Pace } from './slices.ts';

const PER_SLICE = 250;
const ENDED_AT_ONCE = 20;
const ENDED_PER_TURN = 1_000;
// To look at so many calls takes about as long as to end one.
const LOOKED_AT_PER_ENDED = 20;

/**
 * KEYS the records of calls
 * ARGV 1 id of an API key
 * Result the numbers of those that it has made, from 1
 */
const findMade = new Script(`
local found = {}
for i = 1, #KEYS do
  local makers = redis.call('HGET', KEYS[i], 'makers')
  if makers and string.find(' ' .. makers .. ' ', ' ' .. ARGV[1] .. ' ', 1, true) then found[#found + 1] = i end
end
return found
`);

/**
 * Ends the open async calls that were made with a deleted API key, or with a key created through it. False if it gave way to other
 * deletions before it had ended all: the next time, it ends the others. `now` tells the time by Redis' clock: there may be so many calls that
 * it takes minutes. `canceled` is called for each call that ends. Throws if a call could not be ended.
 */
export async function endCallsOf(
  redis: RedisConnection,
  { id, organizationId, workspaceId }: ApiKey,
  { now, canceled }: { now: () => number; canceled: () => void },
  pace: Pace,
): Promise<boolean> {
  const workspaces =
    workspaceId === null
      ? await listWorkspacesWithCalls(redis, `organization:${organizationId}`)
      : [workspaceId];
  let [lookedAt, ended] = [0, 0];
  for (const workspace of workspaces) {
    for (let cursor = '0'; ; ) {
      const sliceAt = performance.now();
      const [next, found] = await redis.zscan(stateKey(workspace, EXPIRING), cursor, 'COUNT', PER_SLICE);
      const calls = found.filter((_, i) => i % 2 === 0).map((entry) => entry.split(' ')[0] as string);
      const keys = calls.map((callId) => stateKey(workspace, callName(callId)));
      const made = keys.length === 0 ? [] : ((await findMade.run(redis, keys, [id])) as number[]);
      const own = made.map((number) => calls[number - 1] as string);
      await pace.rest(sliceAt);
      lookedAt += calls.length;
      for (let at = 0; at < own.length; at += ENDED_AT_ONCE) {
        const endingAt = performance.now();
        const together = own.slice(at, at + ENDED_AT_ONCE);
        await Promise.all(
          together.map(async (callId) => {
            if (!(await endOne(redis, workspace, callId, now()))) return;
            ended += 1;
            canceled();
          }),
        );
        await pace.rest(endingAt);
        // The next turn looks at the calls from the first on. This way, that takes at most as long again as to end them.
        if (ended >= ENDED_PER_TURN && lookedAt <= ended * LOOKED_AT_PER_ENDED) return false;
      }
      cursor = next;
      if (cursor === '0') break;
    }
  }
  return true;
}

async function endOne(
  redis: RedisConnection,
  workspaceId: string,
  callId: string,
  now: number,
): Promise<boolean> {
  const call = await findCall(redis, workspaceId, callId);
  if (call === null || call.end !== null) return false;
  if (await endCall(redis, call, 'canceled', keyDeleted(), now)) {
    await redis.spublish(STOP_CHANNEL, callId);
    return true;
  }
  const left = await findCall(redis, workspaceId, callId);
  if (left !== null && left.end === null) throw new Error(`The call ${callId} could not be ended.`);
  return false;
}
