import type { RedisConnection } from '../redis/connections.ts';
import { ledgerKey, stateKey } from '../redis/keys.ts';
import { timeOfTxid } from '../txid.ts';
import type { AsyncCall, CallStatus } from './async-call.ts';
import { callName } from './call-keys.ts';
import { withoutParams } from './without-params.ts';

/** How a call ended; `endedAt` is in ms since the epoch. */
export interface CallEnd {
  txid: number;
  /** The offset of the newest update at its end, which is the call's own event. */
  offset: string;
  endedAt: number;
  /** The TL object as JSON, `null` for a call that ended without one. It is kept as text, as it may be large. */
  result: string;
  /** The problem document of a call that ended without a result. */
  error: object | null;
}

/** The state of an async call, without its params; times are ms since the epoch. */
export interface CallRecord extends Omit<AsyncCall, 'params'> {
  status: CallStatus;
  attempts: number;
  startedAt: number | null;
  /** When it may run next, if it waits. */
  runAt: number;
  /** The problem of the last attempt, if the call will be retried. */
  lastError: object | null;
  end: CallEnd | null;
}

/** The state of an async call, with its params. */
export type FullCallRecord = CallRecord & AsyncCall;

/** The fields of a call's record that hold its state. */
export const CALL_FIELDS = ['call', 'attempts', 'startedAt', 'runAt', 'running', 'problem'] as const;

/** The values of a call's record, in the order of `CALL_FIELDS`; null for absent fields. */
export type CallFields = (string | null)[];

/** An async call, or null. */
export async function findCall(
  redis: RedisConnection,
  workspaceId: string,
  id: string,
): Promise<FullCallRecord | null> {
  const [fields, frame] = await readCall(redis, workspaceId, id);
  const record = toCallRecord(fields, frame);
  return record === null ? null : { ...record, ...(JSON.parse(fields[0] as string) as AsyncCall) };
}

/** An async call without its params, or null. */
export async function findCallRecord(
  redis: RedisConnection,
  workspaceId: string,
  id: string,
): Promise<CallRecord | null> {
  const [fields, frame] = await readCall(redis, workspaceId, id);
  return toCallRecord(fields, frame);
}

/** When a call that has not ended became due, or will be due next (ms since the epoch); null for any other call. */
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

/** Parses a call's record and the frame of its reply. */
export function toCallRecord(fields: CallFields, frame: string | null): CallRecord | null {
  const [call, attempts, startedAt, runAt, running, problem] = fields;
  if (call === null || call === undefined) return null;
  const end = frame === null ? null : readEnd(frame);
  return {
    ...withoutParams(call),
    status: end?.status ?? (running === null ? 'queued' : 'running'),
    attempts: Number(attempts ?? 0),
    startedAt: startedAt === null ? null : Number(startedAt),
    runAt: Number(runAt ?? 0),
    lastError: end !== null || !problem ? null : (JSON.parse(problem) as object),
    end,
  };
}

function readCall(
  redis: RedisConnection,
  workspaceId: string,
  id: string,
): Promise<[CallFields, string | null]> {
  return Promise.all([
    redis.hmget(stateKey(workspaceId, callName(id)), ...CALL_FIELDS),
    redis.hget(ledgerKey(workspaceId, id), 'reply'),
  ]);
}

const RESULT = '{"result":';
const NO_RESULT = `${RESULT}null,`;
const TXID = ',"txid":';

function readEnd(frame: string): CallEnd & { status: CallStatus } {
  const line = frame.indexOf('\n');
  const offset = frame.slice(frame.indexOf(' ') + 1, line);
  const last = frame.lastIndexOf(TXID);
  const txid = Number(frame.slice(last + TXID.length, -1));
  const common = { txid, offset, endedAt: timeOfTxid(txid) };
  if (!frame.startsWith(NO_RESULT, line + 1)) {
    // The txid follows the result. The result is cut out as text: parsing and stringifying it would take long.
    const result = frame.slice(line + 1 + RESULT.length, last);
    return { ...common, status: 'succeeded', result, error: null };
  }
  const { status, error } = JSON.parse(frame.slice(line + 1)) as { status?: CallStatus; error?: object };
  return { ...common, status: status ?? 'succeeded', result: 'null', error: error ?? null };
}
