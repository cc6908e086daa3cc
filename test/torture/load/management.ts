import { setTimeout as sleep } from 'node:timers/promises';
import type { KnownAccount } from '../history.ts';
import type { HttpClient } from './http-client.ts';

const PATIENCE_MS = 20_000;
const TRIES = 30;

// biome-ignore lint/suspicious/noExplicitAny: answers are of any shape
type Json = any;

/** Sends a request that has to succeed in the end, at one of the API processes, and gives its body and headers. */
export async function insist(
  clients: readonly HttpClient[],
  method: string,
  path: string,
  body?: object,
): Promise<{ body: Json; headers: Record<string, unknown> }> {
  let last = '';
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const client = clients[attempt % clients.length] as HttpClient;
    const answer = await client.send(method, path, {
      patienceMs: PATIENCE_MS,
      ...(body && { body: JSON.stringify(body) }),
    });
    if (answer.status >= 200 && answer.status < 300)
      return { body: JSON.parse(answer.body), headers: answer.headers };
    last = `${answer.status} ${answer.code} ${answer.body}`;
    if (answer.status >= 400 && answer.status < 500 && answer.status !== 409) break;
    await sleep(500);
  }
  throw new Error(`${method} ${path}: ${last}`);
}

/** Calls a method that has to succeed in the end and gives its result. */
export async function insistOnCall(
  clients: readonly HttpClient[],
  { workspace, account }: KnownAccount,
  method: string,
  params: object,
): Promise<Json> {
  const path = `/workspaces/${workspace}/messenger-accounts/${account}/call/${method}`;
  return (await insist(clients, 'POST', path, { params })).body.result;
}

/** How one account names another in params. */
export function toPeer({ userId }: KnownAccount): object {
  return { _: 'inputPeerUser', userId, accessHash: '0' };
}
