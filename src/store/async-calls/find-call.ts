import type { RedisConnection } from '../../redis/connections.ts';
import { ledgerKey, stateKey } from '../../redis/keys.ts';
import type { AsyncCall, CallStatus } from './async-call.ts';
import { callName } from './call-keys.ts';

/** How a call ended. */
export interface CallEnd {
  txid: number;
  /** Of the newest update when it ended, which is its own event. */
  offset: string;
  endedAt: number;
  /** The TL object; null for a call that ended without one. */
  result: object | null;
  /** The problem document of a call that ended without a result. */
  error: object | null;
}

/** An async call as it stands; times are ms since the epoch. */
export interface KeptCall extends AsyncCall {
  status: CallStatus;
  attempts: number;
  startedAt: number | null;
  /** When it may run next, for one that waits. */
  runAt: number;
  /** What the last attempt met, for one that will be tried again. */
  lastError: object | null;
  end: CallEnd | null;
}

const TXIDS_PER_MS = 2_048;

/** A kept call, or null. */
export async function findCall(
  redis: RedisConnection,
  workspaceId: string,
  id: string,
): Promise<KeptCall | null> {
  const [record, frame] = await Promise.all([
    redis.hgetall(stateKey(workspaceId, callName(id))),
    redis.hget(ledgerKey(workspaceId, id), 'reply'),
  ]);
  return toKeptCall(record, frame);
}

/** Since when a call that has not ended could run, or may run next: ms since the epoch; null for any other. */
export async function findRunAt(
  redis: RedisConnection,
  workspaceId: string,
  id: string,
): Promise<number | null> {
  const [runAt, hasEnded] = await Promise.all([
    redis.hget(stateKey(workspaceId, callName(id)), 'runAt'),
    redis.hexists(ledgerKey(workspaceId, id), 'reply'),
  ]);
  return runAt === null || hasEnded === 1 ? null : Number(runAt);
}

function toKeptCall(record: Record<string, string>, frame: string | null): KeptCall | null {
  const { call, attempts = '0', startedAt, runAt = '0', running, problem } = record;
  if (call === undefined) return null;
  const end = frame === null ? null : readEnd(frame);
  return {
    ...(JSON.parse(call) as AsyncCall),
    status: end?.status ?? (running === undefined ? 'queued' : 'running'),
    attempts: Number(attempts),
    startedAt: startedAt === undefined ? null : Number(startedAt),
    runAt: Number(runAt),
    lastError: end !== null || problem === undefined ? null : (JSON.parse(problem) as object),
    end,
  };
}

function readEnd(frame: string): CallEnd & { status: CallStatus } {
  const line = frame.indexOf('\n');
  const { result, status, error, txid } = JSON.parse(frame.slice(line + 1)) as {
    result: object | null;
    status?: CallStatus;
    error?: object;
    txid: number;
  };
  return {
    status: status ?? 'succeeded',
    txid,
    offset: frame.slice(frame.indexOf(' ') + 1, line),
    endedAt: Math.floor(txid / TXIDS_PER_MS),
    result,
    error: error ?? null,
  };
}
