import { Problem } from '../problem.ts';

/** The longest reply of a read that is recorded. A longer one is not: the read may run again. */
export const READ_KEPT_MAX = 4 * 1024;

/** Of a longer reply of any other call, only `reply_not_kept` is recorded. */
export const REPLY_KEPT_MAX = 64 * 1024;

// JSON without its closing brace: the script appends the txid.
const NOT_KEPT = JSON.stringify(new Problem('reply_not_kept')).slice(0, -1);

/**
 * Lua of the commit script: reads the recorded outcomes of all transactions into `recorded`, by ledger; for a ledger key of the wrong type,
 * its error.
 */
export const READ_RECORDED = `local asked = {}
for i = 3, #transactions do
  local tx = transactions[i]
  local fields = asked[tx[10]] or {}
  asked[tx[10]] = fields
  fields[#fields + 1] = tx[1]
end
for index, fields in next, asked do
  local found = redis.pcall('HMGET', KEYS[index], unpack(fields))
  local outcomes = {}
  if not found.err then
    for i, field in ipairs(fields) do outcomes[field] = found[i] end
  end
  recorded[index] = found.err or outcomes
end`;

/**
 * Lua of the commit script, within a transaction: builds the reply's `frame` and records it, or a stand-in for it. Releases the
 * Idempotency-Key instead where the workspace or Redis is full and the call has changed nothing.
 */
export const KEEP_REPLY = `  local frame = reply
  local offset = kind ~= 'frame' and tailOf(stream) or ''
  if offset == '' then offset = '-' end
  if kind ~= 'frame' then frame = '200 ' .. offset .. '\\n{"result":' .. reply .. ',"txid":' .. id .. '}' end
  local kept = frame
  if kind == 'read' and not changes and (reply == '' or #frame > ${READ_KEPT_MAX}) then
    kept, isKept = '', isKept and claim ~= ''
  elseif claim ~= '' and #frame > ${REPLY_KEPT_MAX} then
    kept = '410 ' .. offset .. '\\n' .. [==[${NOT_KEPT}]==] .. ',"txid":' .. id .. '}'
  end
  if isKept and claim ~= '' and isFull and not isNew then
    call('HDEL', KEYS[ledger], field)
    outcomes[field], isKept = false, false
  end
  if not isKept then return 'committed', frame, id end
  if claim ~= '' then kept = encodeDone(payloadOf(claim), kept) end
  outcomes[field], fieldsOf(ledger)[field] = kept, kept
  expiries[ledger] = tx[4]
  if kind == 'kept' or kind == 'end' then countPart(stream, 'calls', #kept + KEY)
  elseif claim ~= '' or #kept > LARGE * 2 then
    local step = tx[4] - now > 3600000 and 3600000 or 60000
    countPart(stream, format('%d', math.ceil(tx[4] / step) * step), #kept + KEY)
  end`;
