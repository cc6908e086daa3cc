// With the load of V8's hash tables, so many places are enough for 32,768 numbers; smaller tables look at fewer of these bits.
const LOW_BITS = 2 ** 14 - 1;

/** Different numbers, positive and below 2^31, that share a place in every set or map of them: V8 hashes numbers without a secret. */
export function collidingNumbers(count: number): number[] {
  const found: number[] = [];
  for (let number = 1; found.length < count; number += 1)
    if ((hashOf(number) & LOW_BITS) === 0) found.push(number);
  return found;
}

// Source: `ComputeUnseededHash` in V8's src/utils/utils.h.
function hashOf(number: number): number {
  let hash = (~number + (number << 15)) | 0;
  hash ^= hash >>> 12;
  hash = (hash + (hash << 2)) | 0;
  hash ^= hash >>> 4;
  hash = Math.imul(hash, 2_057);
  return hash ^ (hash >>> 16);
}
