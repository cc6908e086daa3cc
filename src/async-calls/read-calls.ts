import { PAGE_BYTES } from '../directory/lists.ts';
import { commandScope, type RedisConnection } from '../redis/connections.ts';
import { ledgerKey, stateKey } from '../redis/keys.ts';
import { Script } from '../redis/script.ts';
import { callName } from './call-keys.ts';
import { CALL_FIELDS, type CallFields, type CallRecord, toCallRecord } from './find-call.ts';
import type { FoundCall } from './find-call-ids.ts';

/**
 * KEYS  record and ledger hash of each call
 * ARGV  1 most bytes, of which there may be more only if the first call alone has them, 2 whether that is another's page already,
 *       then the fields of a record
 * Result the bytes that are left, then the fields of each call and the frame of its reply, as long as there is room
 */
const readSome = new Script(`
local room = tonumber(ARGV[1])
local answer = {room}
for i = 1, #KEYS, 2 do
  local size = redis.call('HSTRLEN', KEYS[i], 'call') + redis.call('HSTRLEN', KEYS[i + 1], 'reply')
  if size > room and (i > 1 or ARGV[2] == '1') then
    answer[1] = -1
    return answer
  end
  room = room - size
  answer[1] = math.max(room, 0)
  answer[#answer + 1] = {
    redis.call('HMGET', KEYS[i], unpack(ARGV, 3)),
    redis.call('HGET', KEYS[i + 1], 'reply'),
  }
end
return answer
`);

/**
 * Reads the first of these calls: as many as a page may hold, and one in any case. `looked` says how many they are; those that are
 * there no longer are left out of `calls`.
 */
export async function readCalls(
  redis: RedisConnection,
  wanted: FoundCall[],
): Promise<{ calls: CallRecord[]; looked: number }> {
  const calls: CallRecord[] = [];
  let looked = 0;
  let room = PAGE_BYTES;
  while (looked < wanted.length && room >= 0) {
    const run = firstOfOneScope(redis, wanted.slice(looked));
    const keys = run.flatMap(({ workspaceId, id }) => [
      stateKey(workspaceId, callName(id)),
      ledgerKey(workspaceId, id),
    ]);
    const args = [room, looked > 0 ? 1 : 0, ...CALL_FIELDS];
    const [left, ...found] = (await readSome.run(redis, keys, args)) as [
      number,
      ...[CallFields, string | null][],
    ];
    for (const [fields, frame] of found) {
      const call = toCallRecord(fields, frame);
      if (call !== null) calls.push(call);
    }
    looked += found.length;
    room = left;
  }
  return { calls, looked };
}

/** Those up to the first that another command has to be sent for. */
function firstOfOneScope(redis: RedisConnection, wanted: FoundCall[]): FoundCall[] {
  const scopeOf = ({ workspaceId }: FoundCall) => commandScope(redis, workspaceId);
  const scope = scopeOf(wanted[0] as FoundCall);
  const end = wanted.findIndex((one) => scopeOf(one) !== scope);
  return end === -1 ? wanted : wanted.slice(0, end);
}
