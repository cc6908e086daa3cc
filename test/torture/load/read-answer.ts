import type { Attempt, Told } from '../history.ts';
import { digest } from './digest.ts';
import type { HttpAnswer } from './http-client.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are of any shape
type Json = any;

/** What came back of an attempt. */
export type Answered = Pick<Attempt, 'status' | 'code' | 'bytes' | 'replayed' | 'callId' | 'retryAfterMs'> &
  Told;

/** Reads the answer to a request with one call. */
export function toAnswered({ status, code, headers, body }: HttpAnswer): Answered {
  if (status === 0)
    return { status, code, bytes: 0, retryAfterMs: 0, replayed: false, callId: null, ...toTold({}) };
  const parsed = parse(body);
  return {
    status,
    code: status < 400 ? 'ok' : String(parsed.code ?? 'no code'),
    bytes: body.length,
    retryAfterMs: 1_000 * Number(headers['retry-after'] ?? 0),
    replayed: headers['idempotency-replayed'] === 'true',
    callId: headers.location?.split('/').at(-1) ?? null,
    ...toTold(parsed),
  };
}

/** Reads the answer to a request with so many calls; what became of the request became of each. */
export function toAnswers(answer: HttpAnswer, count: number): Answered[] {
  const results: Json[] = answer.status === 200 ? (parse(answer.body).results ?? []) : [];
  return Array.from({ length: count }, (_, index) => {
    const { status, body } = results[index] ?? {};
    if (answer.status !== 200) return toAnswered(answer);
    if (status === undefined) return { ...toAnswered(answer), status: 200, code: 'no result', callId: null };
    const code = status < 400 ? 'ok' : String(body.code ?? 'no code');
    // What stands for one call among several does not say whether it was replayed.
    const callId = status === 202 ? body.id : null;
    const bytes = JSON.stringify(body).length;
    return { status, code, bytes, retryAfterMs: 0, replayed: null, callId, ...toTold(body) };
  });
}

/** Reads what an answer, or the record of an async call, tells of the outcome. */
export function toTold({ txid, result = null }: Json): Told {
  return {
    txid: typeof txid === 'number' ? txid : null,
    result: result === null ? '' : digest(result),
    messageId: result?._ === 'updateShortSentMessage' ? result.id : null,
    ptsCount: result?._ === 'messages.affectedMessages' ? result.ptsCount : null,
  };
}

function parse(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return { code: `no JSON: ${text.slice(0, 100)}` };
  }
}
