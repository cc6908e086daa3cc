/** Telegram's hash over the ids of a list, with which a client says which state of the list it has (core.telegram.org/api/offsets). */
export function hashOfIds(ids: readonly (number | string)[]): string {
  let hash = 0n;
  for (const id of ids) {
    hash ^= hash >> 21n;
    hash = BigInt.asUintN(64, hash ^ (hash << 35n));
    hash ^= hash >> 4n;
    hash = BigInt.asUintN(64, hash + BigInt(id));
  }
  return BigInt.asIntN(64, hash).toString();
}
