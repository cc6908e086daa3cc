import { type Api, ApiError, withQuery } from './api.ts';
import { readEvents } from './event-reader.ts';
import { wait } from './wait.ts';

const RETRY_MS = 1_000;
const LONGEST_MS = 30_000;
// The API writes every 15 seconds at least; a process that hangs, or a network that is cut, only says nothing.
const SILENCE_MAX_MS = 35_000;
const GAP =
  'Connected, but updates are missing here that are not kept any more. Read anew for a whole stream.';

/** The parts of an update that the console uses. */
export interface Update {
  id: string;
  kind: string;
  timestamp: string;
  messengerAccountId: string | null;
  txid: number;
  update: object;
}

/** The wanted part of a stream, and who receives it. */
interface Wanted {
  workspaceId: string;
  kind: string;
  messengerAccountId: string;
  /** `now`, or `-1` for all updates that are held. */
  from: string;
  onUpdates: (updates: Update[]) => void;
  /** The state of the connection; a failure says what to do. */
  onState: (text: string, isFailure: boolean) => void;
}

/** Follows the updates of a workspace: reconnects at its offset, pauses while the page is hidden, and ends with the signal. */
export async function followUpdates(api: Api, wanted: Wanted, signal: AbortSignal): Promise<void> {
  const at = { offset: wanted.from, failures: 0, hasGap: false };
  while (!signal.aborted) {
    await untilSeen(signal);
    const unseen = new AbortController();
    const hide = () => document.hidden && unseen.abort();
    document.addEventListener('visibilitychange', hide);
    try {
      await read(api, wanted, at, AbortSignal.any([signal, unseen.signal]));
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof ApiError && error.earliestOffset !== null) {
        at.offset = behindGap(at.offset, error.earliestOffset);
        at.hasGap = true;
      } else if (isFinal(error)) {
        wanted.onState((error as ApiError).message, true);
        return;
      } else if (unseen.signal.aborted) {
        wanted.onState('Connecting…', false);
        continue;
      } else {
        at.failures += 1;
        wanted.onState(`${whyLost(error)} Trying again.`, true);
      }
    } finally {
      document.removeEventListener('visibilitychange', hide);
    }
    await wait(Math.min(LONGEST_MS, RETRY_MS * 2 ** at.failures), signal);
  }
}

// Beyond the end, as Redis has lost it: from the earliest update on, the page would show again what it has shown.
function behindGap(offset: string, earliest: string): string {
  return earliest > offset ? earliest : 'now';
}

/** Reads one connection to its end, or until nothing comes any more. */
async function read(
  api: Api,
  { workspaceId, kind, messengerAccountId, onUpdates, onState }: Wanted,
  at: { offset: string; failures: number; hasGap: boolean },
  signal: AbortSignal,
): Promise<void> {
  const path = `/v1/workspaces/${encodeURIComponent(workspaceId)}/updates`;
  const silent = new AbortController();
  let timer = 0;
  const listen = () => {
    clearTimeout(timer);
    timer = setTimeout(() => silent.abort(), SILENCE_MAX_MS);
  };
  listen();
  try {
    const either = AbortSignal.any([signal, silent.signal]);
    if (at.hasGap && at.offset === 'now') at.offset = await findEnd(api, path, either);
    const query = { live: 'sse', offset: at.offset, kind, messengerAccountId };
    const response = await api.open('GET', withQuery(path, query), { signal: either });
    onState(at.hasGap ? GAP : 'Connected: updates are shown as they come.', at.hasGap);
    for await (const { id, event, data } of readEvents(response)) {
      listen();
      at.failures = 0;
      if (event === 'data') onUpdates(JSON.parse(data));
      if (id !== '') at.offset = id;
    }
  } finally {
    clearTimeout(timer);
  }
}

// Without filters: where a stream begins, the API refuses an account that was deleted, and here it only goes on.
async function findEnd(api: Api, path: string, signal: AbortSignal): Promise<string> {
  const { headers, body } = await api.open('GET', withQuery(path, { offset: 'now' }), { signal });
  // An answer that is not read would keep its connection.
  await body?.cancel();
  return headers.get('stream-next-offset') ?? 'now';
}

/** Whether the request itself is refused, so that a retry would be refused too. */
function isFinal(error: unknown): boolean {
  return error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429;
}

/** In the API's words if it has answered, such as that this key has too many live reads. */
function whyLost(error: unknown): string {
  return error instanceof ApiError && error.status !== 0 ? error.message : 'The connection is lost.';
}

function untilSeen(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const check = () => {
      if (document.hidden && !signal.aborted) return;
      document.removeEventListener('visibilitychange', check);
      resolve();
    };
    document.addEventListener('visibilitychange', check);
    signal.addEventListener('abort', check);
    check();
  });
}
