import type { TraceContext } from './trace-context.ts';

/** What a span says beside its times: ids, names of methods, codes and numbers; never params, results or other text of a caller. */
export type Attributes = Readonly<Record<string, string | number | boolean>>;

export type SpanKind = 'internal' | 'server' | 'client' | 'producer' | 'consumer';

/** The trace of a call while it travels to a worker. */
export interface TravellingTrace extends TraceContext {
  /** When it began to wait for the worker: ms since the epoch, by Redis' clock. */
  at: number;
  /** Which run it is; absent for the first. */
  attempt?: number;
}

/** How a span begins. */
export interface SpanOptions {
  kind?: SpanKind;
  /** When: ms since the epoch, by Redis' clock; now by default. */
  since?: number;
  attributes?: Attributes;
}

/**
 * A span under way that is cut into hops: each begins where the one before has ended, so that they add up to the whole. Only sampled
 * work has one: everywhere it is `Trace | undefined`, and what is not sampled costs a comparison.
 */
export interface Trace {
  /** Of the trace, for the log. */
  readonly id: string;
  readonly context: TraceContext;
  /** When the hop under way began. */
  readonly at: number;
  /** Adds to what the span says. `error.type` marks it as failed. */
  set(attributes: Attributes): void;
  /** Ends the hop under way, now. */
  hop(name: string, options?: Pick<SpanOptions, 'kind' | 'attributes'>): void;
  /** Lets the next hop begin at `at`, because another process tells what came before. */
  skip(at: number): void;
  /** Begins a commit as the hop under way. */
  commit(): CommitSpan;
  /** Begins a part of its own within the span; undefined when too many of its organization are traced. */
  fork(name: string, attributes: Attributes): Trace | undefined;
  /** Ends the span: now, or at `at`. What no hop tells by then is the hop `rest`, if it has a name. */
  end(attributes?: Attributes, more?: { rest?: string; at?: number }): void;
}

/** The commit of a traced call, which may share its command with others. */
export interface CommitSpan {
  /** Says that it appends so many updates, and gives the `traceparent` that is kept with them. */
  append(updates: number): string;
  /** Says that it is done, and the updates are there. */
  appended(): void;
  /** Says how many transactions the command commits, and names one other that is traced. */
  share(transactions: number, other: CommitSpan | undefined): void;
}

/** Where traces begin, and go on in another process. */
export interface Tracing {
  readonly isOn: boolean;
  /**
   * Begins the span of a request of that organization ('' for the root key) that has been here for `elapsedTime` ms; undefined if it is not
   * sampled, for which nothing but a number is drawn.
   */
  begin(
    name: string,
    attributes: Attributes,
    headers: Readonly<Record<string, unknown>>,
    waited: { readonly elapsedTime: number },
    organizationId: string,
  ): Trace | undefined;
  /** Begins a span of a trace that came here; undefined if none did. */
  resume(context: TraceContext | undefined, name: string, options: SpanOptions): Trace | undefined;
  /** The same for a delivery, of which an update may cause any number: undefined also when too many of the organization are traced. */
  deliver(
    parent: string | undefined,
    organizationId: string,
    name: string,
    options: SpanOptions,
  ): Trace | undefined;
  /** Whether one more run of an async call may be traced, which may be tried many times and run long after its request. */
  mayRun(organizationId: string): boolean;
  /** Exports what is left, for at most `graceMs`. */
  close(graceMs: number): Promise<void>;
}

/** Traces nothing, as long as no endpoint is configured. */
export const NO_TRACING: Tracing = {
  isOn: false,
  begin: () => undefined,
  resume: () => undefined,
  deliver: () => undefined,
  mayRun: () => false,
  close: async () => undefined,
};
