/** Lua of the commit script: finds which transactions are traced. */
export const FIND_TRACES = `if ARGV[3] ~= '' then
  local traced = cmsgpack.unpack(ARGV[3])
  for i = 1, #traced, 2 do transactions[traced[i]].trace = traced[i + 1] end
end`;

/** Lua of the commit script, within a transaction: appends its updates. Those of a traced call have one more field. */
export const APPEND_UPDATES = `  for i = 1, updates do
    local kind, account, user, json, peers = tx[at], tx[at + 1], tx[at + 2], tx[at + 3], tx[at + 4]
    count(stream, #kind + #account + #json + #peers + ENTRY)
    if tx.trace then
      count(stream, #tx.trace)
      local whose = user == '' and {} or {'s', user}
      call('XADD', KEYS[stream], id .. '-' .. i, 'k', kind, 'a', account, 'u', json, 'p', peers, 't', tx.trace, unpack(whose))
    elseif user == '' then call('XADD', KEYS[stream], id .. '-' .. i, 'k', kind, 'a', account, 'u', json, 'p', peers)
    else call('XADD', KEYS[stream], id .. '-' .. i, 'k', kind, 'a', account, 's', user, 'u', json, 'p', peers) end
    at = at + 5
  end`;
