import { z } from 'zod';
import { CALL_STATUSES } from '../store/async-calls/async-call.ts';
import type { KeptCall } from '../store/async-calls/find-call.ts';
import { problem } from './shapes.ts';

const time = z.iso.datetime();

/** A kept call, as the API shows it. */
export const callShape = z
  .object({
    id: z.string(),
    workspaceId: z.string(),
    messengerAccountId: z.string(),
    method: z.string(),
    status: z.enum(CALL_STATUSES),
    result: z.looseObject({ _: z.string() }).nullable().describe('The TL object, once it has succeeded'),
    txid: z.int().nullable().describe('The transaction number of its end; null before'),
    error: problem.nullable().describe('Why it ended without a result, or what its last attempt met'),
    createdAt: time,
    scheduleAt: time.nullable().describe('Not to run before'),
    startedAt: time.nullable().describe('When its last attempt began'),
    finishedAt: time.nullable(),
    expiresAt: time.describe('When it ends as `expired` unless it has been run by then'),
    attempts: z.int(),
    replayOf: z.string().nullable().describe('The call that it repeats'),
  })
  .meta({ id: 'Call', description: 'A call that nobody waits for' });

/** What is shown of a kept call. */
export function showCall(call: KeptCall): z.input<typeof callShape> {
  const { id, workspaceId, messengerAccountId, method, status, attempts, replayOf, end } = call;
  return {
    id,
    workspaceId,
    messengerAccountId,
    method,
    status,
    result: (end?.result ?? null) as { _: string } | null,
    txid: end?.txid ?? null,
    error: (end === null ? call.lastError : end.error) as z.input<typeof problem> | null,
    createdAt: toTime(call.createdAt),
    scheduleAt: call.scheduleAt === null ? null : toTime(call.scheduleAt),
    startedAt: call.startedAt === null ? null : toTime(call.startedAt),
    finishedAt: end === null ? null : toTime(end.endedAt),
    expiresAt: toTime(call.expiresAt),
    attempts,
    replayOf,
  };
}

function toTime(ms: number): string {
  return new Date(ms).toISOString();
}
