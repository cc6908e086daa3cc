import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type CallContext, MessengerError } from '../../../driver.ts';
import { callbackKey } from './keys.ts';

/** A bot's answer to a user who has pressed a button. */
export interface CallbackAnswer {
  alert?: boolean;
  message?: string;
  url?: string;
  cacheTime: number;
}

const WAIT_MS = 10_000;
const POLL_MS = 100;
const WAITING_MAX = 8;
const RETRY_S = 5;

// How many calls of a workspace wait for a bot in this process: each occupies a permit of the slow lane.
const waiting = new Map<string, number>();

/** A TL long derived from a text; always the same for the same text. */
export function longOf(text: string): string {
  return (createHash('sha256').update(text).digest().readBigInt64BE() & 0x7fff_ffff_ffff_ffffn).toString();
}

/** The id of the query that is seeded for a new bot. */
export function seededQueryId(botId: number): string {
  return longOf(`seeded query ${botId}`);
}

/**
 * Waits up to ten seconds for a bot's answer to a query. Errors: `BOT_RESPONSE_TIMEOUT`, `FLOOD_WAIT_5` while eight calls of the workspace
 * wait for bots.
 */
export async function awaitAnswer(
  call: CallContext,
  botId: number,
  queryId: string,
  ask: () => Promise<void>,
): Promise<CallbackAnswer> {
  const { workspaceId } = call;
  const others = waiting.get(workspaceId) ?? 0;
  if (others >= WAITING_MAX) throw new MessengerError(`FLOOD_WAIT_${RETRY_S}`);
  waiting.set(workspaceId, others + 1);
  try {
    await ask();
    return await poll(call, callbackKey(botId, queryId));
  } finally {
    const left = (waiting.get(workspaceId) ?? 1) - 1;
    if (left > 0) waiting.set(workspaceId, left);
    else waiting.delete(workspaceId);
  }
}

async function poll({ tx, signal }: CallContext, name: string): Promise<CallbackAnswer> {
  const until = performance.now() + WAIT_MS;
  while (performance.now() < until) {
    const raw = await tx.read.hget(tx.key(name), 'answer');
    if (raw !== null) return JSON.parse(raw) as CallbackAnswer;
    await sleep(POLL_MS, undefined, { signal });
  }
  throw new MessengerError('BOT_RESPONSE_TIMEOUT');
}
