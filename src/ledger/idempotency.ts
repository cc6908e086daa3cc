import { createHash } from 'node:crypto';
import { isAlive } from '../directory/heartbeat.ts';
import { Problem } from '../problem.ts';
import type { RedisConnection } from '../redis/connections.ts';
import { ledgerKey } from '../redis/keys.ts';
import { byteKeys, bytesMaxOf, workspaceFull } from '../state/byte-budget.ts';
import { claimScript } from './claim-script.ts';
import { settleScript } from './settle-script.ts';

const RELEASE_TRIES = 15;
const RELEASE_EVERY_MS = 1_000;

/** The right to run a call under its Idempotency-Key, or the frame of the reply that an earlier attempt recorded. */
export type Claim = { ledger: string; claim: string; seed: string } | { replay: string };

/**
 * Claims the key for one attempt, until `notAfter`. Throws `call_in_flight` while another attempt has it whose process shows signs
 * of life, `idempotency_key_reused` if it was used with another payload and `workspace_full` where no more may be kept.
 */
export async function claimIdempotencyKey(
  redis: RedisConnection,
  request: {
    workspaceId: string;
    accountId: string;
    key: string;
    method: string;
    params: unknown;
    /** The call's id, which names the attempt, and the API process that makes it. */
    attempt: string;
    processName: string;
    notAfter: number;
  },
): Promise<Claim> {
  const { ledger, seed, payload } = identifyKey(request);
  const { workspaceId, notAfter } = request;
  const claim = `pending:${request.attempt}@${request.processName} ${payload}`;
  const keys = [ledgerKey(workspaceId, ledger), ...byteKeys(redis, workspaceId)];
  const args = [claim, payload, Math.floor(notAfter), workspaceId, bytesMaxOf(redis)];
  const run = async () =>
    (await claimScript.run(redis, keys, args).catch((error) => {
      // It may have been made all the same, only too late for this process to hear of it.
      void releaseClaim(redis, workspaceId, { ledger, claim });
      throw error;
    })) as [string, string?];
  let [outcome, held = ''] = await run();
  if (outcome === 'in flight' && (await releaseDeadClaim(redis, workspaceId, ledger, held)))
    [outcome, held = ''] = await run();
  if (outcome === 'replay') return { replay: held };
  if (outcome === 'in flight') throw new Problem('call_in_flight', { headers: { 'retry-after': '1' } });
  if (outcome === 'full') throw workspaceFull();
  if (outcome === 'reused') throw new Problem('idempotency_key_reused');
  return { ledger, claim, seed };
}

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

/**
 * Gives a claim up, so that the key can be used again at once; the attempt that held it never takes effect. It never rejects: while
 * Redis cannot be asked it goes on trying for a while, and a claim that cannot be given up ends by itself at its deadline.
 */
export async function releaseClaim(
  redis: RedisConnection,
  workspaceId: string,
  { ledger, claim }: { ledger: string; claim: string },
  tries = RELEASE_TRIES,
): Promise<void> {
  try {
    await settleScript.run(redis, [ledgerKey(workspaceId, ledger)], ['reply', claim, 0]);
  } catch {
    if (tries === 1) return;
    const again = () => void releaseClaim(redis, workspaceId, { ledger, claim }, tries - 1);
    setTimeout(again, RELEASE_EVERY_MS).unref();
  }
}

/**
 * Gives up a claim whose process shows no sign of life, and says whether it did. Its attempt never takes effect, also if its job is on a
 * queue or its process only slept: no commit passes without the claim it was made with.
 */
export async function releaseDeadClaim(
  redis: RedisConnection,
  workspaceId: string,
  ledger: string,
  claim: string,
): Promise<boolean> {
  // Claims of an earlier release name no process.
  const processName = /^pending:[^ @]*@(\S+) /.exec(claim)?.[1];
  if (processName === undefined || (await isAlive(redis, processName))) return false;
  await settleScript.run(redis, [ledgerKey(workspaceId, ledger)], ['reply', claim, 0]);
  return true;
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
