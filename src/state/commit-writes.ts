/**
 * Lua of the commit script: combines the writes of all transactions by key (`hashes` and `zsets`, by index in KEYS), writes them together,
 * and counts their bytes for the workspace whose updates stream has the index `stream`.
 *
 * - `count(stream, bytes)` adds to the bytes that a workspace uses, `countPart(stream, part, bytes)` also to a part of them
 * - `setFields(key, fields, isCounted)` sets fields of a hash and returns the bytes added
 * - `setPairs(key, pairs, from, to)` sets small fields of a hash, from alternating names and values, and returns the bytes added
 * - `keepHighest(key, most)` removes the lowest members of a sorted set and returns the bytes removed
 * - `fieldsOf(index, stream)` returns the combined fields of a hash
 * - `flush(index)` writes what was combined for a key
 */
export const COMBINE_WRITES = `local function count(stream, bytes)
  if bytes ~= 0 then used[stream], counted[stream] = used[stream] + bytes, true end
end

local function countPart(stream, part, bytes)
  local ofStream = parts[stream] or {}
  parts[stream] = ofStream
  ofStream[part] = (ofStream[part] or 0) + bytes
  count(stream, bytes)
end

-- How many bytes a large value adds to what it replaces, and 1 if the field is new, else 0.
local function growth(key, name, value)
  local size = call('HSTRLEN', key, name)
  if size == 0 then return #name + #value + FIELD, 1 end
  return #value - size, 0
end

local function inChunks(command, key, args, size)
  local added = 0
  for from = 1, size, 2000 do
    added = added + call(command, key, unpack(args, from, math.min(from + 1999, size)))
  end
  return added
end

-- Returns the bytes added: exact for large values; new small values are assumed to be as long as the other small ones on average.
local function setFields(key, fields, isCounted)
  local pairs, size, small, bytes, exact, new = {}, 0, 0, 0, 0, 0
  for name, value in next, fields do
    pairs[size + 1], pairs[size + 2] = name, value
    size = size + 2
    if #value < LARGE then small, bytes = small + 1, bytes + #name + #value
    elseif isCounted then
      local more, isNew = growth(key, name, value)
      exact, new = exact + more, new + isNew
    end
  end
  local added = inChunks('HSET', key, pairs, size)
  return small == 0 and exact or exact + (added - new) * (FIELD + floor(bytes / small))
end

local function setPairs(key, pairs, from, to)
  local added = call('HSET', key, unpack(pairs, from, to))
  if added == 0 then return 0 end
  local bytes = 0
  for i = from, to do bytes = bytes + #pairs[i] end
  return added * (FIELD + floor(2 * bytes / (to - from + 1)))
end

-- Executes the combined writes to a hash or sorted set. Must run before any other command on the key.
local function flush(index)
  local fields, scores = hashes[index], zsets[index]
  if fields then
    hashes[index] = nil
    local owner = owners[index]
    local bytes = setFields(KEYS[index], fields, owner)
    if owner then count(owner, bytes) end
  end
  if scores then
    zsets[index] = nil
    local bytes = 0
    for i = 2, #scores, 2 do bytes = bytes + #scores[i] end
    count(owners[index], inChunks('ZADD', KEYS[index], scores, #scores) * (MEMBER + floor(2 * bytes / #scores)))
  end
end

-- Removes what a sorted set has beyond its highest members, some at a time, and returns the bytes removed.
local function keepHighest(key, most)
  local over, bytes = call('ZCARD', key) - most, 0
  if over <= 0 then return 0 end
  local gone = call('ZPOPMIN', key, math.min(over, 100))
  for i = 1, #gone, 2 do bytes = bytes + #gone[i] + MEMBER end
  return bytes
end

-- \`stream\` names the workspace whose bytes they are; nil for a ledger.
local function fieldsOf(index, stream)
  local fields = hashes[index]
  if not fields then
    fields = {}
    hashes[index], owners[index] = fields, stream
  end
  return fields
end`;

/** Lua of the commit script, within a transaction: raises its counters and executes its writes, or combines them with those of others. */
export const APPLY_CHANGES = `  local group = firstGroup
  for _ = 1, groups do
    local index, first = tx[11 + tx[group]], group + 2 + tx[group + 1]
    local last = first + 2 * tx[group + 1] - 1
    if combined[index] then
      local fields = fieldsOf(index, stream)
      for i = first, last, 2 do fields[tx[i]] = tx[i + 1] end
    else added = added + setPairs(KEYS[index], tx, first, last) end
    group = last + 1
  end
  local write = firstWrite
  for _ = 1, written do
    local op, index, a, b = tx[write], tx[11 + tx[write + 1]], tx[write + 2], tx[write + 3]
    local command, size = WRITES[op], ARGUMENTS[op]
    write = write + 2 + size
    if command == 'ZADDRUN' then
      local scores = zsets[index] or {}
      zsets[index], owners[index] = scores, stream
      for n = a - b + 1, a do
        local number = format('%d', n)
        scores[#scores + 1], scores[#scores + 2] = number, number
      end
    elseif command == 'HSET' then
      if combined[index] then fieldsOf(index, stream)[a] = b
      elseif #b >= LARGE then
        added = added + growth(KEYS[index], a, b)
        call(command, KEYS[index], a, b)
      elseif call(command, KEYS[index], a, b) == 1 then added = added + #a + #b + FIELD end
    elseif command == 'ZKEEP' then
      flush(index)
      added = added - keepHighest(KEYS[index], a)
      call('PEXPIRE', KEYS[index], b)
    elseif size == 2 and not combined[index] then
      if call(command, KEYS[index], a, b) == 1 then added = added + #b + MEMBER end
    elseif command == 'ZADD' then
      local scores = zsets[index] or {}
      zsets[index], owners[index] = scores, stream
      scores[#scores + 1], scores[#scores + 2] = a, b
    else
      flush(index)
      local key = KEYS[index]
      if command == 'HDEL' then
        local size = call('HSTRLEN', key, a)
        if call(command, key, a) == 1 then added = added - #a - size - FIELD end
      elseif command == 'DEL' then
        added = added - (call('MEMORY', 'USAGE', key) or 0)
        -- DEL would free a large key at once, and Redis would stand still for as long.
        call('UNLINK', key)
      elseif size == 0 then call(command, key)
      elseif call(command, key, a) == 1 and command ~= 'PEXPIRE' then
        added = added + (command == 'SADD' and #a + MEMBER or -#a - MEMBER)
      end
    end
  end`;
