import { createHash } from 'node:crypto';

/**
 * Gives the ledger key for this use of an Idempotency-Key, the seed from which missing `randomId`s are derived, and the payload's hash,
 * which must be the same when the key is used again. `more` is the part of the payload that is not in the params.
 */
export function identifyKey(
  request: { accountId: string; key: string; method: string; params: unknown },
  more = '',
): { ledger: string; seed: string; payload: string } {
  const seed = hash(`${request.accountId}\n${request.key}`);
  const payload = hash(`${request.method}\n${canonicalJson(request.params)}${more}`);
  return { ledger: `key-${seed}`, seed, payload };
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

/** JSON with sorted members, so that the order of members does not matter. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) => {
    if (typeof member !== 'object' || member === null || Array.isArray(member)) return member;
    return Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
