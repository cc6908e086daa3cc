import { type ListPart, PAGE_BYTES } from '../directory/page.ts';
import { commandScope, type RedisConnection } from '../redis/connections.ts';
import { ledgerKey, stateKey } from '../redis/keys.ts';
import { Script } from '../redis/script.ts';
import { callName } from './call-keys.ts';
import { CALL_FIELDS, type CallFields, type CallRecord, toCallRecord } from './find-call.ts';
import type { ListedCall } from './find-call-ids.ts';

/**
 * KEYS  record and ledger hash of each call
 * ARGV  1 most bytes; the first call alone may exceed them, 2 `1` if the page has other calls already,
 *       then the fields of a record
 * Result the bytes left, or -1 if not all calls had room, then the fields of each call that had, and the frame of its reply
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
 * Reads the first of these calls, as many as fit; at least one if the page is still empty. `item` is null if the call no longer exists or
 * does not match.
 */
export async function readCalls(
  redis: RedisConnection,
  wanted: ListedCall[],
  room: number,
): Promise<Omit<ListPart<CallRecord>, 'isMore'>> {
  const entries: ListPart<CallRecord>['entries'] = [];
  while (entries.length < wanted.length) {
    const rest = wanted.slice(entries.length);
    const group = firstOfOneScope(redis, rest);
    const keys = group.flatMap(({ workspaceId, id }) =>
      id === null ? [] : [stateKey(workspaceId, callName(id)), ledgerKey(workspaceId, id)],
    );
    const args = [room, room === PAGE_BYTES ? 0 : 1, ...CALL_FIELDS];
    const [left, ...found] = (await readSome.run(redis, keys, args)) as [
      number,
      ...[CallFields, string | null][],
    ];
    for (const { id, place } of group) {
      const one = id === null ? null : found.shift();
      if (one === undefined) break;
      entries.push({ place, item: one === null ? null : toCallRecord(...one) });
    }
    if (left < 0) return { entries, room: 0 };
    room = left;
  }
  return { entries, room };
}

/** The first calls that one command can read. */
function firstOfOneScope(redis: RedisConnection, wanted: ListedCall[]): ListedCall[] {
  const scopeOf = ({ workspaceId }: ListedCall) => commandScope(redis, workspaceId);
  const scope = scopeOf(wanted[0] as ListedCall);
  const end = wanted.findIndex((one) => scopeOf(one) !== scope);
  return end === -1 ? wanted : wanted.slice(0, end);
}
