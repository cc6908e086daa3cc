// How many bytes of both texts a step compares. Most of its time goes to the two calls of `string.byte`, and most ids differ within one.
const STEP = 16;
const at = Array.from({ length: STEP }, (_, i) => i);
const bytesOf = (text: string) => at.map((i) => `${text}${i}`).join(', ');

/**
 * Lua: `isBefore(a, b)`: whether a text comes before another by their bytes, as in sorted sets. Lua's own `<` orders texts by the locale
 * in which Redis runs: in Czech, `ch` comes after `cz`.
 */
export const IS_BEFORE = `
local function isBefore(a, b)
  if a == b then return false end
  local byte, from = string.byte, 1
  while true do
    local ${bytesOf('a')} = byte(a, from, from + ${STEP - 1})
    local ${bytesOf('b')} = byte(b, from, from + ${STEP - 1})
    -- Behind its end, a text has no bytes.
    ${at.map((i) => `if a${i} ~= b${i} then return (a${i} or -1) < (b${i} or -1) end`).join('\n    ')}
    from = from + ${STEP}
  end
end
`;
