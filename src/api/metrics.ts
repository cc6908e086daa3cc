import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { CallLoad } from './deps.ts';
import { Tally } from './tally.ts';

/** How a call ended, for the books: the bounded set of label values. */
export type CallOutcome = 'ok' | 'refused' | 'overloaded' | 'timeout' | 'failed';

/** One finished call, for the books. */
export interface CallObservation {
  /** The name of a method that exists; never what a caller made up. */
  method: string;
  outcome: CallOutcome;
  /** From its acceptance to its answer. */
  durationMs: number;
}

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** The numbers of one API process, in a registry of its own. */
export class Metrics {
  readonly registry = new Registry();
  private readonly requests: Tally<'route' | 'method' | 'status'>;
  private readonly calls: Tally<'method' | 'outcome'>;
  private readonly duration: Histogram;
  private readonly rateLimited: Counter;

  constructor() {
    const registers = [this.registry];
    collectDefaultMetrics({ register: this.registry });
    this.requests = new Tally(this.registry, {
      name: 'switchboard_http_requests_total',
      help: 'HTTP requests answered, by route, verb and status.',
      labelNames: ['route', 'method', 'status'],
    });
    this.calls = new Tally(this.registry, {
      name: 'switchboard_calls_total',
      help: 'Calls answered, by method and outcome.',
      labelNames: ['method', 'outcome'],
    });
    this.duration = new Histogram({
      name: 'switchboard_call_duration_seconds',
      help: 'From the acceptance of a call to its answer.',
      buckets: SECONDS,
      registers,
    });
    this.rateLimited = new Counter({
      name: 'switchboard_rate_limited_total',
      help: "Requests refused by an API key's rate limit.",
      registers,
    });
  }

  /** Counts a request that its API key's rate limit refused. */
  countRateLimited(): void {
    this.rateLimited.inc();
  }

  /** Shows the load of the call path whenever the metrics are read. */
  watchLoad(load: CallLoad): void {
    const registers = [this.registry];
    new Gauge({
      name: 'switchboard_calls_in_flight',
      help: 'Calls accepted and not yet answered.',
      registers,
      collect() {
        this.set(load.inFlight);
      },
    });
    new Gauge({
      name: 'switchboard_calls_waiting',
      help: 'Calls that wait in this process for their turn.',
      registers,
      collect() {
        this.set(load.backlog);
      },
    });
  }

  /** What counts the answers of a route, known by its pattern and never by an address. */
  countRequests(route: string): (method: string, status: number) => void {
    return (method, status) => {
      const name = `${method} ${status} ${route}`;
      this.requests.cell(name, () => ({ route, method, status: String(status) })).count++;
    };
  }

  /** Counts a finished call. */
  observeCall({ method, outcome, durationMs }: CallObservation): void {
    this.calls.cell(`${outcome} ${method}`, () => ({ method, outcome })).count++;
    this.duration.observe(durationMs / 1_000);
  }
}
