import type { RedisConnection } from '../../../src/redis/connections.ts';
import { stateKey } from '../../../src/redis/keys.ts';

/** Ids of what is added begin above this number; nothing that a new account has is numbered as high. */
export const FILLED_FROM = 1_000_000;

/**
 * Collections that callers cannot make as large as they like, by the beginning of their names: how many more entries they get. Why stands
 * beside each.
 */
const SMALL: readonly [name: string, entries: number][] = [
  // Counters: of each thing that is counted one, which is read by its name.
  ['seq', 0],
  // Members of a channel (90 may join), with those of a basic group in its record.
  ['members:', 80],
  // 200 at most.
  ['invites:', 190],
  // A user is in 500 channels at most.
  ['joined:', 400],
  // 3,000 at most, all of which contacts.getContacts has to give.
  ['contacts:', 2_990],
  // 100 at most.
  ['passkeys:', 90],
  ['drafts:', 90],
  ['draft-dates:', 90],
  // 1,000 at most.
  ['scheduled:', 900],
  ['scheduled-dates:', 900],
  // One of each privacy key.
  ['privacy:', 0],
  // One for each of at most 12 answers.
  ['tally:', 0],
  // A file has 4,000 parts at most, and these are looked at one by one when it is sent.
  ['files:', 0],
  ['sizes:', 0],
  // Kinds and looks of gifts are given by the catalogue.
  ['gift-kinds:', 0],
  ['resale-looks:', 0],
  // One live story of a peer.
  ['stories:', 0],
  // As many as there are members at most, and a few who have left.
  ['reactions:', 90],
  // One for each emoji and day.
  ['reaction-days:', 90],
];

// Adds to every collection of a workspace entries like one that is there, under numbers that are the same in all of them.
const FILL = `
local from, pattern = tonumber(ARGV[1]), '^(.-)(%d+)$'
local caps = cjson.decode(ARGV[3])
for at, key in ipairs(KEYS) do
  local name = ARGV[3 + at]
  local count = tonumber(ARGV[2])
  for _, cap in ipairs(caps) do
    if string.sub(name, 1, #cap[1]) == cap[1] then count = math.min(count, cap[2]) end
  end
  local type = redis.call('TYPE', key).ok
  local batch = {}
  local function add(...)
    for _, value in ipairs({...}) do batch[#batch + 1] = value end
  end
  local function flush(command)
    if #batch > 0 then redis.call(command, key, unpack(batch)) end
    batch = {}
  end
  if type == 'hash' then
    -- The longest is the one with most to read.
    local field, before, value
    local all = redis.call('HGETALL', key)
    for i = 1, #all, 2 do
      local prefix, number = string.match(all[i], pattern)
      local longer = not value or #all[i + 1] > #value or (#all[i + 1] == #value and all[i] < field)
      if number and longer then field, before, value = all[i], prefix, all[i + 1] end
    end
    if field then
      local old = string.match(field, '%d+$')
      -- What names itself by the field, or by the number in it, names itself anew.
      local head, tail = string.match(value, '^(.-"id":"?)' .. old .. '([",}].*)$')
      for n = from + 1, from + count do
        local id = string.format('%d', n)
        add(before .. id, head and (head .. id .. tail) or value)
        if #batch >= 1000 then flush('HSET') end
      end
      flush('HSET')
    end
  elseif type == 'zset' then
    local member, score = unpack(redis.call('ZREVRANGE', key, 0, 0, 'WITHSCORES'))
    local before, number = string.match(member, pattern)
    if number then
      for n = from + 1, from + count do
        -- A list of ids is in the order of the ids, any other in that of its scores.
        add(number == score and n or string.format('%.17g', score + (n - from) / 100), before .. string.format('%d', n))
        if #batch >= 1000 then flush('ZADD') end
      end
      flush('ZADD')
    end
  elseif type == 'set' then
    local before = string.match(redis.call('SRANDMEMBER', key), pattern) or ''
    for n = from + 1, from + count do
      add(before .. string.format('%d', n))
      if #batch >= 1000 then flush('SADD') end
    end
    flush('SADD')
  end
end
`;

/**
 * Makes everything that a workspace's messenger keeps large: to every hash, sorted set and set `count` entries are added that look like
 * one of those there, but for the few collections whose size is bounded. Message ids and `pts` go on behind them. A collection of a new
 * method is in it by itself.
 */
export async function enlargeWorkspace(
  redis: RedisConnection,
  workspaceId: string,
  count: number,
  /** The beginnings of the names of those that are meant, where not all are. */
  only: readonly string[] = [''],
): Promise<void> {
  const prefix = stateKey(workspaceId, '');
  const keys = (await redis.keys(`${escapePattern(prefix)}*`)).sort();
  for (const key of keys) {
    const name = key.slice(prefix.length);
    if (!only.some((start) => name.startsWith(start))) continue;
    await redis.eval(FILL, 1, key, String(FILLED_FROM), String(count), JSON.stringify(SMALL), name);
  }
  const counters = stateKey(workspaceId, 'seq');
  for (const field of await redis.hkeys(counters)) {
    if (field.startsWith('msg:')) await redis.hset(counters, field, String(FILLED_FROM + count));
    // Nothing of what was added has been read.
    if (field.startsWith('unread:')) await redis.hset(counters, field, String(count));
  }
}

function escapePattern(text: string): string {
  return text.replace(/[[\]*?\\]/g, '\\$&');
}
