import { setTimeout as sleep } from 'node:timers/promises';
import type { AsyncCall } from '../history.ts';
import type { HttpClient } from './http-client.ts';
import { insist } from './management.ts';
import { toAnswered, toTold } from './read-answer.ts';

const PAGE = 100;
const AT_ONCE = 8;
const PATIENCE_MS = 20_000;
const LOOK_AGAIN_MS = 500;
const TRIES = 60;

// biome-ignore lint/suspicious/noExplicitAny: calls are of any shape
type Json = any;

/** Waits until no async call of a workspace is queued or runs, for at most so long; whether that is so. */
export async function untilAllEnded(
  clients: readonly HttpClient[],
  workspace: string,
  withinMs: number,
): Promise<boolean> {
  const hasCalls = async (status: string) => {
    const path = `/v1/calls?workspaceId=${workspace}&status=${status}&limit=1`;
    return (await insist(clients, 'GET', path)).body.data.length > 0;
  };
  for (const until = performance.now() + withinMs; performance.now() < until; ) {
    if (!((await hasCalls('queued')) || (await hasCalls('running')))) return true;
    await sleep(LOOK_AGAIN_MS);
  }
  return false;
}

/** Reads every async call that a workspace's list shows. */
export async function listAsyncCalls(
  clients: readonly HttpClient[],
  workspace: string,
  now: () => number,
): Promise<AsyncCall[]> {
  const calls: AsyncCall[] = [];
  for (let cursor = ''; ; ) {
    const path = `/v1/calls?workspaceId=${workspace}&limit=${PAGE}${cursor}`;
    const { body } = await insist(clients, 'GET', path);
    calls.push(...body.data.map((call: Json) => toKept(workspace, call, 'list', now())));
    if (!body.hasMore) return calls;
    cursor = `&startingAfter=${encodeURIComponent(body.cursors.next)}`;
  }
}

/** Reads async calls by their ids. */
export async function readAsyncCalls(
  clients: readonly HttpClient[],
  wanted: readonly { workspace: string; callId: string }[],
  now: () => number,
): Promise<AsyncCall[]> {
  const calls: AsyncCall[] = [];
  let next = 0;
  const read = async () => {
    for (let one = wanted[next]; one !== undefined; one = wanted[next]) {
      next += 1;
      calls.push(await readAsyncCall(clients, one, now));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, read));
  return calls;
}

async function readAsyncCall(
  clients: readonly HttpClient[],
  { workspace, callId }: { workspace: string; callId: string },
  now: () => number,
): Promise<AsyncCall> {
  for (let turn = 0; turn < TRIES; turn += 1) {
    const client = clients[turn % clients.length] as HttpClient;
    const answer = await client.send('GET', `/v1/calls/${callId}`, { patienceMs: PATIENCE_MS });
    if (answer.status === 200) return toKept(workspace, JSON.parse(answer.body), 'id', now());
    const { status, code } = toAnswered(answer);
    if (status > 0 && status < 500)
      return toKept(workspace, { id: callId, status: 'absent', error: { code } }, 'id', now());
    await sleep(LOOK_AGAIN_MS);
  }
  throw new Error(`${callId} could not be read`);
}

function toKept(workspace: string, call: Json, from: AsyncCall['from'], at: number): AsyncCall {
  const { id: callId, status, error } = call;
  return { type: 'kept', workspace, callId, from, status, code: error?.code ?? 'ok', at, ...toTold(call) };
}
