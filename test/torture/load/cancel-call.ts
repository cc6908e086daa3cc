import { setTimeout as sleep } from 'node:timers/promises';
import type { Cancellation } from '../history.ts';
import type { HttpClient } from './http-client.ts';
import { toAnswered } from './read-answer.ts';

const PATIENCE_MS = 20_000;
const AGAIN_MS = 500;

/** Takes an async call back, at one API process after the other until one answers for good; gives that answer. */
export async function cancelCall(
  clients: readonly HttpClient[],
  callId: string,
  isOver: () => boolean,
): Promise<Cancellation> {
  for (let turn = 0; ; turn += 1) {
    const client = clients[turn % clients.length] as HttpClient;
    const answer = await client.send('DELETE', `/v1/calls/${callId}`, { patienceMs: PATIENCE_MS });
    const { status, code } = toAnswered(answer);
    if ((status !== 0 && status < 500) || isOver()) return { type: 'cancellation', callId, status, code };
    await sleep(AGAIN_MS);
  }
}
