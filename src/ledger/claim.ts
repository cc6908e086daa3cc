import { byteKeys, bytesMaxOf } from '../bytes/byte-budget.ts';
import { COUNT_BYTES } from '../bytes/count-bytes.ts';
import { isAlive } from '../directory/heartbeat.ts';
import { Problem } from '../problem.ts';
import type { RedisConnection } from '../redis/connections.ts';
import { ledgerKey } from '../redis/keys.ts';
import { Script } from '../redis/script.ts';
import { encodeClaim, LEDGER_CODEC, processOfClaim } from './codec.ts';
import { identifyKey } from './identify-key.ts';
import { giveUpClaim } from './settle.ts';

const RELEASE_TRIES = 15;
const RELEASE_EVERY_MS = 1_000;

/** The right to run a call under its Idempotency-Key, or the frame of the reply that an earlier attempt recorded. */
export type Claim = { ledger: string; claim: string; seed: string } | { replay: string };

/**
 * Claims an Idempotency-Key for one attempt at a call.
 *
 * KEYS  1 ledger hash of the key, 2 heads, 3 the workspace's bytes
 * ARGV  1 claim, 2 payload hash, 3 when the claim ends (ms since the epoch), 4 workspace, 5 byte budget of a workspace that has none of its
 *       own (0: unlimited)
 * Result {'claimed'} | {'replay', frame} | {'in flight', claim} | {'reused'}
 *
 * It does not refuse calls of a full workspace: many of them read or delete. Their commit decides.
 */
const claimScript = new Script(`${COUNT_BYTES}${LEDGER_CODEC}
local held = redis.call('HGET', KEYS[1], 'reply')
-- The client has sent the command again, after its connection was cut.
if held == ARGV[1] then return {'claimed'} end
local use = findUse(held, ARGV[2])
if use then return use end
-- What has expired makes room for the call.
isFull(KEYS[2], KEYS[3], ARGV[4], ARGV[5])
redis.call('HSET', KEYS[1], 'reply', ARGV[1])
redis.call('PEXPIREAT', KEYS[1], ARGV[3])
return {'claimed'}
`);

/**
 * Claims the key for one attempt, until `notAfter`. Throws `call_in_flight` while another attempt holds it whose process is alive, and
 * `idempotency_key_reused` if the key was used with another payload.
 */
export async function claimIdempotencyKey(
  redis: RedisConnection,
  request: {
    workspaceId: string;
    accountId: string;
    key: string;
    method: string;
    params: unknown;
    /** Identifies the attempt. */
    callId: string;
    /** The API process that makes it. */
    processName: string;
    notAfter: number;
  },
): Promise<Claim> {
  const { ledger, seed, payload } = identifyKey(request);
  const { workspaceId, notAfter } = request;
  const claim = encodeClaim(request, payload);
  const keys = [ledgerKey(workspaceId, ledger), ...byteKeys(redis, workspaceId)];
  const args = [claim, payload, Math.floor(notAfter), workspaceId, bytesMaxOf(redis)];
  const run = async () =>
    (await claimScript.run(redis, keys, args).catch((error) => {
      // Redis may have recorded the claim although no answer came.
      void releaseClaim(redis, workspaceId, { ledger, claim });
      throw error;
    })) as [string, string?];
  let [outcome, held = ''] = await run();
  if (outcome === 'in flight' && (await releaseDeadClaim(redis, workspaceId, ledger, held)))
    [outcome, held = ''] = await run();
  if (outcome === 'replay') return { replay: held };
  if (outcome === 'in flight') throw new Problem('call_in_flight', { headers: { 'retry-after': '1' } });
  if (outcome === 'reused') throw new Problem('idempotency_key_reused');
  return { ledger, claim, seed };
}

/** Whether the ledger holds a reply for this key. */
export async function hasReply(
  redis: RedisConnection,
  { workspaceId, ...request }: { workspaceId: string } & Parameters<typeof identifyKey>[0],
): Promise<boolean> {
  return isAnswered(redis, workspaceId, identifyKey(request).ledger);
}

/** Whether a ledger of the workspace holds a reply. */
export async function isAnswered(
  redis: RedisConnection,
  workspaceId: string,
  ledger: string,
): Promise<boolean> {
  const held = (await redis.hget(ledgerKey(workspaceId, ledger), 'reply')) ?? '';
  return held.startsWith('done:') && held.indexOf('\n') < held.length - 1;
}

/**
 * Releases a claim, so that the key can be used again at once. The attempt that held it can no longer take effect. Never rejects: while
 * Redis cannot be reached it retries for a while, and a claim that is never released expires at its deadline.
 */
export async function releaseClaim(
  redis: RedisConnection,
  workspaceId: string,
  { ledger, claim }: { ledger: string; claim: string },
  tries = RELEASE_TRIES,
): Promise<void> {
  try {
    await giveUpClaim(redis, ledgerKey(workspaceId, ledger), claim);
  } catch {
    if (tries === 1) return;
    const again = () => void releaseClaim(redis, workspaceId, { ledger, claim }, tries - 1);
    setTimeout(again, RELEASE_EVERY_MS).unref();
  }
}

/**
 * Releases the claim of an API process that is no longer alive; returns whether it did. The attempt can no longer take effect, even if its
 * job is still on a queue or its process was only suspended: no commit passes without the claim it was made with.
 */
export async function releaseDeadClaim(
  redis: RedisConnection,
  workspaceId: string,
  ledger: string,
  claim: string,
): Promise<boolean> {
  const processName = processOfClaim(claim);
  if (processName === undefined || (await isAlive(redis, processName))) return false;
  await giveUpClaim(redis, ledgerKey(workspaceId, ledger), claim);
  return true;
}
