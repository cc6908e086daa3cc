/** The entry of a call without an Idempotency-Key that never takes effect. A call that has taken effect has its reply's frame there. */
export const VOID = 'void';

/** The entry of an Idempotency-Key while an attempt holds its claim; `payload` is the hash of the request's payload. */
export function encodeClaim(attempt: { callId: string; processName: string }, payload: string): string {
  return `pending:${attempt.callId}@${attempt.processName} ${payload}`;
}

/** The API process that holds a claim; undefined for a claim of an earlier release, which names none. */
export function processOfClaim(claim: string): string | undefined {
  return /^pending:[^ @]*@(\S+) /.exec(claim)?.[1];
}

/**
 * Lua for scripts that read or write the entry of an Idempotency-Key. The entry holds a claim, and once its call is done `done:<payload
 * hash>\n<frame>`. The frame is empty if the reply was not kept: the call only reads, so it may run again.
 *
 * - `payloadOf(claim)` is the payload's hash
 * - `encodeDone(payload, frame)` is the entry of a done call
 * - `readDone(held)` returns the payload's hash and the frame; nil for an entry that is not done
 * - `findUse(held, payload)` is the answer to another use of the key: nil if the key may be claimed, {'reused'} | {'in flight', claim} |
 *   {'replay', frame}
 */
export const LEDGER_CODEC = `
local function payloadOf(claim) return string.sub(claim, string.find(claim, ' ', 1, true) + 1) end

local function encodeDone(payload, frame) return 'done:' .. payload .. '\\n' .. frame end

local function readDone(held)
  if not held or string.sub(held, 1, 5) ~= 'done:' then return nil end
  local line = string.find(held, '\\n', 1, true)
  return string.sub(held, 6, line - 1), string.sub(held, line + 1)
end

local function findUse(held, payload)
  if not held then return nil end
  local done, frame = readDone(held)
  if (done or payloadOf(held)) ~= payload then return {'reused'} end
  if not done then return {'in flight', held} end
  if frame ~= '' then return {'replay', frame} end
  return nil
end
`;
