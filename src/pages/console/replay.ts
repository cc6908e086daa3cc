import type { CallRecord } from '../../client/records.ts';
import type { Api } from './api.ts';
import type { Page } from './types.ts';

// Replays run one after the other; this is as many rows as an operator looks at.
const WAIT_SECONDS = 10;

/** Whether a call ended without a result, so that it can be replayed. */
export function isReplayable({ status }: Pick<CallRecord, 'status'>): boolean {
  return status === 'failed' || status === 'expired' || status === 'canceled';
}

/** Replays a call, waits a moment for its end, and returns what became of it. */
export async function replayOne(api: Api, { id, method }: CallRecord): Promise<string> {
  const again = await api.send<{ id: string }>('POST', `/v1/calls/${id}/replay`);
  const { status, error } = await api.get<CallRecord>(`/v1/calls/${again.id}?wait=${WAIT_SECONDS}`);
  const why = error === null ? '' : `: ${error.detail ?? error.title}`;
  return `Replayed ${method} as ${again.id}: ${status}${why}.`;
}

/** Replays the given calls, one after the other. */
export async function replaySome(api: Api, calls: CallRecord[]): Promise<string> {
  let replayed = 0;
  try {
    for (const { id } of calls) {
      await api.send('POST', `/v1/calls/${id}/replay`);
      replayed += 1;
    }
  } catch (error) {
    throw new Error(`Replayed ${replayed} of ${calls.length}, then: ${(error as Error).message}`);
  }
  return `Replayed ${replayed} calls.`;
}

/** Replays every call of a workspace with this status. */
export async function replayAll(api: Api, workspaceId: string, status: string): Promise<string> {
  let replayed = 0;
  let skipped = 0;
  let paused = 0;
  try {
    for (let next: string | null | undefined; next !== null; ) {
      const startingAfter = next === undefined ? {} : { startingAfter: next };
      const body = { workspaceId, status, ...startingAfter };
      const part = await api.send<Replayed>('POST', '/v1/calls/replay', { body });
      replayed += part.replayed;
      skipped += part.skipped;
      paused += part.paused;
      next = part.next;
    }
  } catch (error) {
    throw new Error(`Replayed ${replayed} calls, then: ${(error as Error).message}`);
  }
  const left = paused === 0 ? '' : `, and ${paused} are paused`;
  return `Replayed ${replayed} calls; ${skipped} had been replayed before${left}.`;
}

interface Replayed {
  replayed: number;
  skipped: number;
  paused: number;
  next: Page<never>['cursors']['next'];
}
