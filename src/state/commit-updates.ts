/** Lua of the commit script: finds which transactions are traced. */
export const FIND_TRACES = `if ARGV[3] ~= '' then
  local traced = cmsgpack.unpack(ARGV[3])
  for i = 1, #traced, 2 do transactions[traced[i]].trace = traced[i + 1] end
end`;

/** Lua of the commit script: the ends of the first updates' ids, and of the first offsets. To convert a number to text is slow. */
export const FIRST_ENDS = `local ID_ENDS = {'-1', '-2', '-3', '-4'}
local OFFSET_ENDS = {'_0000000000000001', '_0000000000000002', '_0000000000000003', '_0000000000000004'}`;

/** Lua of the commit script, within a transaction: appends its updates. Those of a traced call have one more field. */
export const APPEND_UPDATES = `  for i = 1, updates do
    local kind, account, user, json, peers = tx[at], tx[at + 1], tx[at + 2], tx[at + 3], tx[at + 4]
    local entry = id .. (ID_ENDS[i] or '-' .. i)
    added = added + #kind + #account + #json + #peers + ENTRY
    if tx.trace then
      added = added + #tx.trace
      local whose = user == '' and {} or {'s', user}
      call('XADD', KEYS[stream], entry, 'k', kind, 'a', account, 'u', json, 'p', peers, 't', tx.trace, unpack(whose))
    elseif user == '' then call('XADD', KEYS[stream], entry, 'k', kind, 'a', account, 'u', json, 'p', peers)
    else call('XADD', KEYS[stream], entry, 'k', kind, 'a', account, 's', user, 'u', json, 'p', peers) end
    at = at + 5
  end`;
