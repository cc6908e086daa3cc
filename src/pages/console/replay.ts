import type { CallRecord } from '../../client/records.ts';
import { type Api, ApiError } from './api.ts';
import type { Progress } from './parts/dialog.ts';
import type { Page } from './types.ts';
import { wait } from './wait.ts';

// Replays run one after the other; this is as many rows as an operator looks at.
const WAIT_SECONDS = 10;

/** Whether a call ended without a result, so that it can be replayed. */
export function isReplayable({ status }: Pick<CallRecord, 'status'>): boolean {
  return status === 'failed' || status === 'expired' || status === 'canceled';
}

/** Replays a call, waits a moment for its end, and returns what became of it. */
export async function replayOne(api: Api, { id, method }: CallRecord): Promise<string> {
  const again = await api.send<{ id: string }>('POST', `/v1/calls/${id}/replay`);
  const replayed = `Replayed ${method} as ${again.id}`;
  return api.get<CallRecord>(`/v1/calls/${again.id}?wait=${WAIT_SECONDS}`).then(
    ({ status, error }) => {
      const why = error === null ? '' : `: ${error.detail ?? error.title}`;
      return `${replayed}: ${status}${why}.`;
    },
    (error: Error) => `${replayed}; how it ended is not known: ${error.message}`,
  );
}

/** Replays the given calls, one after the other. */
export async function replaySome(api: Api, calls: CallRecord[], progress: Progress): Promise<string> {
  let replayed = 0;
  try {
    for (const { id } of calls) {
      const soFar = `Replayed ${replayed} of ${calls.length}.`;
      await whenAllowed(() => api.send('POST', `/v1/calls/${id}/replay`), soFar, progress);
      replayed += 1;
    }
  } catch (error) {
    throw new Error(`Replayed ${replayed} of ${calls.length}, then: ${(error as Error).message}`);
  }
  // The API answers alike whether a call is replayed now or was before.
  return `${replayed} calls are replayed. Those replayed earlier were not made again.`;
}

/** Replays every call of a workspace with this status. */
export async function replayAll(
  api: Api,
  workspaceId: string,
  status: string,
  progress: Progress,
): Promise<string> {
  let replayed = 0;
  let skipped = 0;
  let paused = 0;
  try {
    for (let next: string | null | undefined; next !== null; ) {
      const startingAfter = next === undefined ? {} : { startingAfter: next };
      const body = { workspaceId, status, ...startingAfter };
      const send = () => api.send<Replayed>('POST', '/v1/calls/replay', { body });
      const part = await whenAllowed(send, `Replayed ${replayed} calls so far.`, progress);
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

/** Sends the next request of several, and again once the rate limit allows it. Throws what else is wrong, and if it is to stop. */
async function whenAllowed<Answer>(
  send: () => Promise<Answer>,
  soFar: string,
  { say, signal }: Progress,
): Promise<Answer> {
  say(soFar);
  while (!signal.aborted) {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 429 || error.retryAfter === null) throw error;
      say(`${soFar} ${error.message} It goes on by itself then.`);
      await wait(error.retryAfter * 1_000, signal);
    }
  }
  throw new Error('It was stopped. Replay once more for the rest.');
}

interface Replayed {
  replayed: number;
  skipped: number;
  paused: number;
  next: Page<never>['cursors']['next'];
}
