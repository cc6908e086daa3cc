import * as z from 'zod';
import { CALL_STATUSES } from '../../async-calls/async-call.ts';
import type { CallRecord } from '../../async-calls/find-call.ts';
import { timeOfId } from '../../ids.ts';
import { placeProblem } from '../../problem.ts';
import { problem } from '../records/shapes.ts';

const time = z.iso.datetime();

/** An async call, as the API shows it. */
export const callShape = z
  .object({
    id: z.string(),
    workspaceId: z.string(),
    messengerAccountId: z.string(),
    method: z.string(),
    status: z.enum(CALL_STATUSES),
    result: z.looseObject({ _: z.string() }).nullable().describe('The TL object, once it has succeeded'),
    txid: z.int().nullable().describe('Its transaction number; null until it has ended'),
    error: problem.nullable().describe('Why it ended without a result, or the error of its last attempt'),
    createdAt: time,
    scheduleAt: time.nullable().describe('It does not run before this time'),
    startedAt: time.nullable().describe('When its last attempt began'),
    finishedAt: time.nullable(),
    expiresAt: time.describe('It ends as `expired` if it has not run by then'),
    attempts: z.int(),
    replayOf: z.string().nullable().describe('The call that it replays'),
  })
  .meta({ id: 'Call', description: 'An async call' });

/** An async call as JSON. The result is copied as recorded: parsing it to write it again takes long. */
export function showCall(call: CallRecord): string {
  const { id, workspaceId, messengerAccountId, method, status, attempts, replayOf, end } = call;
  const error = end === null ? call.lastError : end.error;
  const head = JSON.stringify({ id, workspaceId, messengerAccountId, method, status });
  const tail = JSON.stringify({
    txid: end?.txid ?? null,
    createdAt: toTime(timeOfId(id)),
    scheduleAt: call.scheduleAt === null ? null : toTime(call.scheduleAt),
    startedAt: call.startedAt === null ? null : toTime(call.startedAt),
    finishedAt: end === null ? null : toTime(end.endedAt),
    expiresAt: toTime(call.expiresAt),
    attempts,
    replayOf,
  } satisfies Partial<z.input<typeof callShape>>);
  const placed = placeProblem(JSON.stringify(error));
  return `${head.slice(0, -1)},"result":${end?.result ?? 'null'},"error":${placed},${tail.slice(1)}`;
}

function toTime(ms: number): string {
  return new Date(ms).toISOString();
}
