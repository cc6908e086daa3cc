import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { RecentDurations } from '../fleet/recent-durations.ts';
import { ProcessMetrics } from '../metrics/process-metrics.ts';
import { collectOfAll } from '../metrics/shared-port.ts';
import type { CallLoad } from '../queue/submit/call-load.ts';
import { Tally } from './limits/tally.ts';

/** How a call ended: the values of the label `outcome`. */
export type OutcomeLabel = 'ok' | 'refused' | 'overloaded' | 'timeout' | 'failed';

/** A finished call. */
export interface CallObservation {
  /** The name of a known method, never text of the caller. */
  method: string;
  outcome: OutcomeLabel;
  /** The account's driver. */
  driver: string;
  /** From the acceptance to the answer; null if the call was refused before its body was read. */
  durationMs: number | null;
}

// In seconds; finer where most calls are.
const DURATION_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

const GAUGES: [name: string, help: string, read: (load: CallLoad) => number][] = [
  ['calls_in_flight', 'Calls that are accepted and not yet answered.', ({ inFlight }) => inFlight],
  ['calls_waiting', 'Calls that wait in this process to be sent.', ({ backlog }) => backlog],
  [
    'calls_oldest_wait_seconds',
    'Wait of the oldest call that waits to be sent.',
    ({ oldestWaitMs }) => oldestWaitMs / 1_000,
  ],
  [
    'window_calls',
    'Outstanding calls; each holds a permit, a costly one several.',
    ({ outstanding }) => outstanding,
  ],
  ['window_places', "This process's share of the window, in permits.", ({ permits }) => permits],
  ['call_slots_held', 'Capped calls that hold a slot.', ({ slotsHeld }) => slotsHeld],
  ['calls_waiting_for_slot', 'Capped calls that wait for a slot.', ({ slotsAwaited }) => slotsAwaited],
];

const COUNTERS: [name: string, help: string, read: (load: CallLoad) => number][] = [
  ['replies_late_total', 'Replies to calls that were already answered.', ({ lateReplies }) => lateReplies],
  [
    'calls_lost_total',
    'Calls whose job was lost. The ledger decided their outcome.',
    ({ lostCalls }) => lostCalls,
  ],
];

/** The metrics of one API process, in their own registry. */
export class Metrics {
  readonly registry = new Registry();
  readonly process = new ProcessMetrics(this.registry);
  /** How many calls have ended since the process began, by outcome. */
  readonly outcomes = new Map<OutcomeLabel, number>();
  /** How long recent calls took, in ms. */
  readonly durations = new RecentDurations();
  /** The metrics as text, of all processes that share this process's port. */
  readonly collect = collectOfAll(this.registry);
  private readonly requests: Tally<'route' | 'method' | 'status'>;
  private readonly calls: Tally<'method' | 'outcome' | 'driver'>;
  private readonly observeDuration: (seconds: number) => void;
  private readonly rateLimited: Counter;
  private readonly asyncCallsEnded: Counter<'status'>;

  constructor() {
    const registers = [this.registry];
    this.requests = new Tally(this.registry, {
      name: 'switchboard_http_requests_total',
      help: 'Answered HTTP requests.',
      labelNames: ['route', 'method', 'status'],
    });
    this.calls = new Tally(this.registry, {
      name: 'switchboard_calls_total',
      help: 'Answered calls. The outcome overloaded means turned away before they ran: too many, paused, or the process stops.',
      labelNames: ['method', 'outcome', 'driver'],
    });
    const duration = new Histogram({
      name: 'switchboard_call_duration_seconds',
      help: 'Time from the acceptance of a call to its answer.',
      buckets: DURATION_BUCKETS,
      registers,
    });
    this.observeDuration = duration.labels().observe;
    this.rateLimited = new Counter({
      name: 'switchboard_rate_limited_total',
      help: 'Requests that the rate limit of an API key refused.',
      registers,
    });
    // Of the same name as that of the workers, which end calls in other ways.
    this.asyncCallsEnded = new Counter({
      name: 'switchboard_async_calls_ended_total',
      help: 'Async calls that the process has ended, by status.',
      labelNames: ['status'],
      registers,
    });
    this.asyncCallsEnded.inc({ status: 'canceled' }, 0);
  }

  /** Counts an async call that a request has canceled. */
  countCanceled(): void {
    this.asyncCallsEnded.inc({ status: 'canceled' });
  }

  /** Counts a request that its key's rate limit refused. */
  countRateLimited(): void {
    this.rateLimited.inc();
  }

  /** Adds the metrics of the call path's load. Each scrape reads it. */
  addLoad(calls: { readonly load: CallLoad }): void {
    const registers = [this.registry];
    for (const [name, help, read] of GAUGES) {
      new Gauge({
        name: `switchboard_${name}`,
        help,
        registers,
        collect() {
          this.set(read(calls.load));
        },
      });
    }
    for (const [name, help, read] of COUNTERS) {
      new Counter({
        name: `switchboard_${name}`,
        help,
        registers,
        collect() {
          this.reset();
          this.inc(read(calls.load));
        },
      });
    }
    new Counter({
      name: 'switchboard_calls_refused_total',
      help: 'Calls that admission refused, by reason.',
      labelNames: ['reason'],
      registers,
      collect() {
        this.reset();
        for (const [reason, count] of calls.load.refusals) this.inc({ reason }, count);
      },
    });
  }

  /** Returns a function that counts the answered requests of a route, given by its pattern. */
  requestCounter(route: string): (method: string, status: number) => void {
    return (method, status) => this.requests.add(route, method, String(status));
  }

  /** Counts a finished call and, unless it was turned away, how long it took. */
  observeCall({ method, outcome, driver, durationMs }: CallObservation): void {
    this.calls.add(method, outcome, driver);
    this.outcomes.set(outcome, (this.outcomes.get(outcome) ?? 0) + 1);
    // Calls that are turned away end at once: under overload, their many short durations would make the others look fast.
    if (durationMs === null || outcome === 'overloaded') return;
    this.observeDuration(durationMs / 1_000);
    this.durations.observe(durationMs);
  }
}
