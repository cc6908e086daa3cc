import { IS_BEFORE } from '../redis/is-before.ts';
import { Script } from '../redis/script.ts';
import { ASYNC_POLL_MAX_MS } from './queues.ts';

/** Async calls wait in the line each under a name of its own, which begins with this: any worker may get the call's job. */
export const ASYNC_WAITER = 'background';

/** What the script says of a slot to take; else no slot of the workspace is free. */
export const TAKEN = 1;
export const ACCOUNT_FULL = 0;

// Whoever is late by more than this is gone.
const LATE_MS = 1_100;

/**
 * Gives back and takes slots of capped calls. A workspace and each of its accounts have slots (a sorted set: call id, scored by when the
 * call can no longer run) and a line (a hash: API process, or async call -> the earliest of its calls that wait, and when it asks again).
 * A call takes a slot in every scope with a cap, or in none. In the line of its account it stands by its acceptance, in that of the
 * workspace by when its account's turn began, so that accounts take turns over all processes. If others wait with earlier calls, that many
 * slots are left to them; async calls leave none to each other, as they ask too rarely.
 *
 * KEYS  1 wake channel, 2 the workspace's slots, 3 its line, then for each account: slots, line
 * ARGV  1 API process or async call, 2 ms after which it asks again at the latest if it has to wait, 3 the workspace's cap or '',
 *       4 number of accounts
 *       then for each account: cap or ''
 *       then number of slots to give back, each: account (from 1), call id
 *       then number of slots to take, each: account, call id, when it was accepted, when its turn began, when it can no longer run (all in
 *       ms since the epoch)
 * Result for each slot to take: 1 if taken, 0 if its account has none for it, -1 if the workspace has none
 *
 * The calls of an account are given in the order of their acceptance. If slots stay free that others wait for, the process whose call has
 * waited longest is published on the wake channel, and the account if the slot is one of an account.
 */
export const slotsScript = new Script(`
${IS_BEFORE}
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local process, pause = ARGV[1], tonumber(ARGV[2])
local count = tonumber(ARGV[4])
local function isAsync(name) return string.sub(name, 1, ${ASYNC_WAITER.length}) == '${ASYNC_WAITER}' end
local scopes = {}
for i = 0, count do
  local cap = i == 0 and ARGV[3] or ARGV[4 + i]
  scopes[i] = {slots = KEYS[2 + i * 2], line = KEYS[3 + i * 2], cap = tonumber(cap), others = {}}
end
local at = 5 + count
local given = tonumber(ARGV[at])
for i = 1, given do
  for _, scope in ipairs({scopes[0], scopes[tonumber(ARGV[at + 1])]}) do
    redis.call('ZREM', scope.slots, ARGV[at + 2])
    scope.isGiven = true
  end
  at = at + 2
end
-- Without a cap, only slots that are given back matter: others may know of a cap, and wait for them.
local relevant = {}
for i = 0, count do
  if scopes[i].cap or scopes[i].isGiven then relevant[#relevant + 1] = scopes[i] end
end
for _, scope in ipairs(relevant) do
  redis.call('ZREMRANGEBYSCORE', scope.slots, '-inf', now)
  scope.free = scope.cap and scope.cap - redis.call('ZCARD', scope.slots) or math.huge
  local line = redis.call('HGETALL', scope.line)
  for j = 1, #line, 2 do
    local earliest, again = string.match(line[j + 1], '^(%d+) (%d+)$')
    local left = again - now
    -- A time further ahead than any pause: it asked before Redis' clock was set back.
    if left < -${LATE_MS} or left > ${ASYNC_POLL_MAX_MS} then redis.call('HDEL', scope.line, line[j])
    elseif line[j] ~= process and not (isAsync(process) and isAsync(line[j])) then
      scope.others[#scope.others + 1] = {tonumber(earliest), line[j]}
    end
  end
end
local function isEarlier(other, since, name)
  return other[1] < since or (other[1] == since and isBefore(other[2], name))
end
local function hasRoom(scope, since)
  if not scope.cap then return true end
  local free = scope.free
  for _, other in ipairs(scope.others) do
    if isEarlier(other, since, process) then free = free - 1 end
  end
  return free > 0
end
local function fill(scope, call, ends)
  if not scope.cap then return end
  redis.call('ZADD', scope.slots, ends, call)
  scope.free = scope.free - 1
end
-- A question that was sent again because the connection was cut: its calls would otherwise wait for their own slots.
local function isHeld(scope, call) return not scope.cap or redis.call('ZSCORE', scope.slots, call) end
local workspace, taken = scopes[0], {}
for i = 1, tonumber(ARGV[at + 1]) do
  local account, call, ends = scopes[tonumber(ARGV[at + 2])], ARGV[at + 3], ARGV[at + 6]
  local accepted, turn = tonumber(ARGV[at + 4]), account.servedAt or tonumber(ARGV[at + 5])
  at = at + 5
  local full, since
  if not hasRoom(account, accepted) then full, since = account, accepted
  elseif not hasRoom(workspace, turn) then full, since = workspace, turn end
  if full and isHeld(account, call) and isHeld(workspace, call) then taken[i] = ${TAKEN}
  elseif full then
    full.waits = math.min(full.waits or since, since)
    taken[i] = full == account and ${ACCOUNT_FULL} or -1
  else
    fill(account, call, ends)
    fill(workspace, call, ends)
    account.servedAt = now
    taken[i] = ${TAKEN}
  end
end
for _, scope in ipairs(relevant) do
  if scope.waits then
    redis.call('HSET', scope.line, process, string.format('%.0f %.0f', scope.waits, now + pause))
    -- Others in the line may ask again later than this one.
    local lasts = math.ceil(pause) + ${LATE_MS}
    if redis.call('PTTL', scope.line) < lasts then redis.call('PEXPIRE', scope.line, lasts) end
  else redis.call('HDEL', scope.line, process) end
  local last = redis.call('ZRANGE', scope.slots, -1, -1, 'WITHSCORES')[2]
  if last then redis.call('PEXPIREAT', scope.slots, string.format('%.0f', last)) end
  if scope.free > 0 and #scope.others > 0 then
    local next
    for _, other in ipairs(scope.others) do
      if not isAsync(other[2]) and (not next or isEarlier(other, next[1], next[2])) then next = other end
    end
    local account = scope == workspace and '' or ' ' .. string.match(scope.slots, '[^:]*$')
    if next then redis.call('SPUBLISH', KEYS[1], next[2] .. account) end
  end
end
return taken
`);
