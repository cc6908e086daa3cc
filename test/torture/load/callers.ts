import { setTimeout as sleep } from 'node:timers/promises';
import type { Attempt } from '../history.ts';
import type { CallChooser, WantedCall } from './choose-calls.ts';
import { digest } from './digest.ts';
import type { HttpAnswer, HttpClient } from './http-client.ts';

// Longer than a deadline, the ledger's grace and the longest pauses together.
const PATIENCE_MS = 45_000;
const TICK_MS = 10;
const IN_FLIGHT_MAX = 400;
// Failures below 500 that pass by themselves.
const PASSING: ReadonlySet<string> = new Set(['call_in_flight', 'rate_limited']);
const BACKOFF_MS = 100;
const BACKOFF_MAX_MS = 1_500;

// biome-ignore lint/suspicious/noExplicitAny: results are of any shape
type Json = any;

/**
 * Makes calls at a rate. One with an Idempotency-Key is repeated, at the other API process, until it is answered for good; one
 * without is made once. When too many are under way fewer are made.
 */
export class Callers {
  private readonly clients: readonly HttpClient[];
  private readonly chooser: CallChooser;
  private readonly now: () => number;
  private readonly onAttempt: (attempt: Attempt) => void;
  private readonly under = new Set<Promise<void>>();
  private stopped = false;
  /** Calls that were due while too many were under way. */
  heldBack = 0;

  constructor(options: {
    clients: readonly HttpClient[];
    chooser: CallChooser;
    now: () => number;
    onAttempt: (attempt: Attempt) => void;
  }) {
    this.clients = options.clients;
    this.chooser = options.chooser;
    this.now = options.now;
    this.onAttempt = options.onAttempt;
  }

  get inFlight(): number {
    return this.under.size;
  }

  /** Makes `rate` calls a second for so long; resolves when the last one was made. */
  async offer(rate: number, durationMs: number): Promise<void> {
    const startedAt = performance.now();
    let due = 0;
    for (let passed = 0; passed < durationMs && !this.stopped; passed = performance.now() - startedAt) {
      const target = Math.floor((passed * rate) / 1_000);
      for (; due < target; due += 1) {
        if (this.under.size >= IN_FLIGHT_MAX) this.heldBack += 1;
        else this.begin(this.chooser.next());
      }
      await sleep(TICK_MS);
    }
  }

  /** Resolves when every call has been answered for good, or after so long; gives the number of those that have not. */
  async finish(withinMs: number): Promise<number> {
    const late = sleep(withinMs);
    await Promise.race([Promise.all(this.under), late]);
    this.stopped = true;
    return this.under.size;
  }

  stop(): void {
    this.stopped = true;
  }

  private begin(call: WantedCall): void {
    const made = this.make(call).finally(() => this.under.delete(made));
    this.under.add(made);
  }

  private async make(call: WantedCall): Promise<void> {
    let api = call.number % this.clients.length;
    let repeats = call.repeats;
    for (let attempt = 1; !this.stopped; attempt += 1) {
      const done = await this.attempt(call, attempt, api);
      const isFinal = done.status !== 0 && done.status < 500 && !PASSING.has(done.code);
      if (isFinal && !repeats) return;
      if (isFinal) repeats = false;
      if (call.key === null && done.code !== 'refused') return;
      api = (api + 1) % this.clients.length;
      await sleep(isFinal ? 0 : Math.min(BACKOFF_MS * 2 ** attempt, BACKOFF_MAX_MS));
    }
  }

  private async attempt(call: WantedCall, attempt: number, api: number): Promise<Attempt> {
    const { from, to, method, params, key } = call;
    const path = `/workspaces/${from.workspace}/messenger-accounts/${from.account}/call/${method}`;
    const sentAt = this.now();
    const answer = await (this.clients[api] as HttpClient).send('POST', path, {
      body: JSON.stringify({ params }),
      patienceMs: PATIENCE_MS,
      ...(key !== null && { headers: { 'idempotency-key': key } }),
    });
    const { number, kind, text, target } = call;
    const done: Attempt = {
      type: 'attempt',
      call: number,
      attempt,
      kind,
      workspace: from.workspace,
      account: from.account,
      peer: to.account,
      ...{ text, target, keyed: key !== null, api: api + 1, sentAt, doneAt: this.now() },
      ...toOutcome(answer),
    };
    if (done.messageId !== null) this.chooser.noteSent(call, done.messageId);
    this.onAttempt(done);
    return done;
  }
}

function toOutcome(answer: HttpAnswer) {
  const { status, headers } = answer;
  const body = status === 0 ? {} : parse(answer.body);
  const result: Json = body.result ?? null;
  return {
    status,
    code: status === 0 ? answer.code : String(status < 400 ? 'ok' : (body.code ?? 'no code')),
    txid: typeof body.txid === 'number' ? body.txid : null,
    replayed: headers['idempotency-replayed'] === 'true',
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
