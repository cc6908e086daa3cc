import { createHash } from 'node:crypto';

/**
 * Where the use of a key is recorded, what a `randomId` is derived from that was left out, and what has to be the same when the
 * key is used again; `more` is what the payload has beside the params.
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

/** JSON with sorted members, so that two ways to write one payload are the same. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) => {
    if (typeof member !== 'object' || member === null || Array.isArray(member)) return member;
    return Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
