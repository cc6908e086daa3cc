import { setImmediate as pause, setTimeout as sleep } from 'node:timers/promises';
import type { Attempt, Cancellation } from '../history.ts';
import { cancelCall } from './cancel-call.ts';
import type { CallChooser, WantedCall } from './choose-calls.ts';
import type { HttpAnswer, HttpClient } from './http-client.ts';
import { type Answered, toAnswered, toAnswers } from './read-answer.ts';

// Longer than a deadline, the ledger's grace and the longest pauses together.
const PATIENCE_MS = 45_000;
const TICK_MS = 10;
const AT_ONCE = 20;
// Most of them wait for their next attempt, which costs nothing.
const IN_FLIGHT_SECONDS = 60;
// A call that is not answered for good by then is left until the service is well again: repeating all of them all the time would be
// more work than the calls themselves.
const ATTEMPTS_MAX = 5;
const LEFT_AT_ONCE = 100;
const PAST_MS = 40_000;
// Failures below 500 that pass by themselves.
const PASSING: ReadonlySet<string> = new Set(['call_in_flight', 'rate_limited']);
const BACKOFF_MS = 100;
const BACKOFF_MAX_MS = 5_000;

export interface CallersOptions {
  clients: readonly HttpClient[];
  chooser: CallChooser;
  now: () => number;
  onAttempt: (attempt: Attempt) => void;
  onCancellation: (cancellation: Cancellation) => void;
}

/** A call under way, with what does not change over its attempts. */
interface MadeCall extends WantedCall {
  /** When it may run, for one that was asked for in advance. */
  scheduleAt: string | null;
}

/**
 * Makes calls at a rate, whatever comes of those before. One with an Idempotency-Key is repeated, at the other API process and no sooner
 * than it is told to, until it is answered for good: a few times while calls are made, and the rest of the time in the end. One
 * without is made once. With as many under way as are made in a minute fewer are made.
 */
export class Callers {
  private readonly options: CallersOptions;
  private readonly under = new Set<Promise<void>>();
  private readonly left: { call: MadeCall; attempt: number }[] = [];
  private stopped = false;
  /** Calls that were due while too many were under way. */
  heldBack = 0;

  constructor(options: CallersOptions) {
    this.options = options;
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
      while (due < target) {
        // What else goes on in this process must not wait for all that is due.
        if (due % AT_ONCE === 0) await pause();
        if (this.under.size < rate * IN_FLIGHT_SECONDS) due += this.begin();
        else {
          this.heldBack += 1;
          due += 1;
        }
      }
      await sleep(TICK_MS);
    }
  }

  /** Resolves when every call has been answered for good, or after so long; gives the number of those that have not. */
  async finish(withinMs: number): Promise<number> {
    const late = sleep(withinMs);
    await Promise.race([this.finishAll(), late]);
    this.stopped = true;
    return this.under.size + this.left.length;
  }

  private async finishAll(): Promise<void> {
    await Promise.all(this.under);
    const next = async () => {
      for (let one = this.left.pop(); one !== undefined && !this.stopped; one = this.left.pop()) {
        const { call, attempt } = one;
        await this.track(this.make(call, { attempt, most: Number.POSITIVE_INFINITY }));
      }
    };
    await Promise.all(Array.from({ length: LEFT_AT_ONCE }, next));
  }

  stop(): void {
    this.stopped = true;
  }

  // How many it has begun.
  private begin(): number {
    const calls = this.options.chooser.next().map(
      (call): MadeCall => ({
        ...call,
        scheduleAt:
          call.later === null || call.later.delayMs === null
            ? null
            : new Date(Date.now() + call.later.delayMs).toISOString(),
      }),
    );
    const together = calls.length > 1 ? this.attemptTogether(calls) : undefined;
    calls.forEach((call, index) => {
      const first = together?.then((attempts) => attempts[index] as Attempt);
      void this.track(this.make(call, { attempt: 1, most: ATTEMPTS_MAX, first }));
    });
    return calls.length;
  }

  private track(made: Promise<void>): Promise<void> {
    const tracked = made.finally(() => this.under.delete(tracked));
    this.under.add(tracked);
    return tracked;
  }

  private async make(
    call: MadeCall,
    from: { attempt: number; most: number; first?: Promise<Attempt> | undefined },
  ): Promise<void> {
    let { repeats } = call;
    for (let { attempt } = from; !this.stopped; attempt += 1) {
      if (attempt > from.most || isPast(call)) return this.leave(call, attempt);
      const done = await ((attempt === 1 ? from.first : undefined) ?? this.attempt(call, attempt));
      const isFinal = isForGood(done);
      if (isFinal && !repeats) return this.mayCancel(call, done.callId);
      if (isFinal) repeats = false;
      if (call.key === null && done.code !== 'refused') return;
      await sleep(isFinal ? 0 : backOff(attempt, done.retryAfterMs));
    }
  }

  // One that was to run at a time would be too late in the end.
  private leave(call: MadeCall, attempt: number): void {
    if (call.key !== null && call.scheduleAt === null) this.left.push({ call, attempt });
  }

  private async mayCancel({ later }: MadeCall, callId: string | null): Promise<void> {
    if (callId === null || later === null || later.cancelMs === null) return;
    await sleep(later.cancelMs);
    const { clients, onCancellation } = this.options;
    onCancellation(await cancelCall(clients, callId, () => this.stopped));
  }

  private async attempt(call: MadeCall, attempt: number): Promise<Attempt> {
    const api = this.apiOf(call, attempt);
    const { from, method, params, key, later, scheduleAt, hangUpMs } = call;
    const path = `/workspaces/${from.workspace}/messenger-accounts/${from.account}/call/${method}`;
    const sentAt = this.options.now();
    const headers = {
      ...(key !== null && { 'idempotency-key': key }),
      ...(later !== null && { prefer: preferenceOf(later.wait) }),
    };
    const body = scheduleAt === null ? { params } : { params, scheduleAt };
    const answer = await this.post(api, path, body, headers, attempt === 1 ? hangUpMs : null);
    const form = later === null ? 'sync' : 'async';
    return this.note(call, { attempt, api: api + 1, sentAt, form }, toAnswered(answer));
  }

  private async attemptTogether(calls: readonly MadeCall[]): Promise<Attempt[]> {
    const [first] = calls as [MadeCall];
    const api = this.apiOf(first, 1);
    const sentAt = this.options.now();
    const body = {
      calls: calls.map(({ from, method, params, key }) => ({
        ...{ accountId: from.account, method, params },
        ...(key !== null && { idempotencyKey: key }),
      })),
    };
    const headers = first.later === null ? {} : { prefer: preferenceOf(null) };
    const answer = await this.post(api, `/workspaces/${first.from.workspace}/calls`, body, headers);
    const form = first.later === null ? 'bulk' : 'async bulk';
    const answers = toAnswers(answer, calls.length);
    return calls.map((call, index) =>
      this.note(call, { attempt: 1, api: api + 1, sentAt, form }, answers[index] as Answered),
    );
  }

  private post(
    api: number,
    path: string,
    body: object,
    headers: Record<string, string>,
    hangUpMs: number | null = null,
  ): Promise<HttpAnswer> {
    const options = { body: JSON.stringify(body), patienceMs: PATIENCE_MS, headers, hangUpMs };
    return (this.options.clients[api] as HttpClient).send('POST', path, options);
  }

  private note(
    call: MadeCall,
    made: Pick<Attempt, 'attempt' | 'api' | 'sentAt' | 'form'>,
    answered: Answered,
  ): Attempt {
    const { number, kind, from, to, text, target, key } = call;
    const { workspace, account } = from;
    const done: Attempt = {
      type: 'attempt',
      ...{ call: number, kind, workspace, account, peer: to.account, text, target, keyed: key !== null },
      ...made,
      doneAt: this.options.now(),
      ...answered,
    };
    if (done.messageId !== null) this.options.chooser.recordSent(call, done.messageId);
    this.options.onAttempt(done);
    return done;
  }

  private apiOf({ number }: WantedCall, attempt: number): number {
    return (number + attempt) % this.options.clients.length;
  }
}

// One that was to run at a time is refused when it comes a minute after that.
function isPast({ scheduleAt }: MadeCall): boolean {
  return scheduleAt !== null && Date.now() > Date.parse(scheduleAt) + PAST_MS;
}

function backOff(attempt: number, toldMs: number): number {
  const ms = Math.max(Math.min(BACKOFF_MS * 2 ** attempt, BACKOFF_MAX_MS), toldMs);
  return ms * (0.75 + Math.random() / 2);
}

function isForGood({ callId, status, code }: Attempt): boolean {
  return callId !== null || (status !== 0 && status < 500 && !PASSING.has(code));
}

function preferenceOf(wait: number | null): string {
  return wait === null ? 'respond-async' : `respond-async, wait=${wait}`;
}
