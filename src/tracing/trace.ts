import type { TraceContext } from './trace-context.ts';

/** The attributes of a span: ids, names of methods, codes and numbers; never params, results or other text from a caller. */
export type Attributes = Readonly<Record<string, string | number | boolean>>;

export type SpanKind = 'internal' | 'server' | 'client' | 'producer' | 'consumer';

/** The trace of a call while it travels to a worker. */
export interface WireTrace extends TraceContext {
  /** When the call began to wait for the worker: ms since the epoch, by Redis' clock. */
  at: number;
  /** The number of the run; absent for the first. */
  attempt?: number;
}

/** Options of a new span. */
export interface SpanOptions {
  kind?: SpanKind;
  /** Its start: ms since the epoch, by Redis' clock; now by default. */
  since?: number;
  attributes?: Attributes;
}

/**
 * An open span that is cut into hops. Each hop begins where the one before has ended, so that they add up to the span. Only sampled work
 * has a trace: elsewhere it is undefined, which costs one comparison.
 */
export interface Trace {
  /** The trace id, for the log. */
  readonly id: string;
  readonly context: TraceContext;
  /** When the current hop began. */
  readonly at: number;
  /** Adds attributes to the span. `error.type` marks it as failed. */
  set(attributes: Attributes): void;
  /** Ends the current hop now. */
  hop(name: string, options?: Pick<SpanOptions, 'kind' | 'attributes'>): void;
  /** Starts the next hop at `at`, because another process has recorded the time before it. */
  skip(at: number): void;
  /** Begins the hop `commit`; the next call of `hop` ends it. */
  beginCommit(): CommitSpan;
  /** Starts a child trace; undefined if too many of its organization are traced. */
  fork(name: string, attributes: Attributes): Trace | undefined;
  /** Ends the span: now, or at `at`. The time after the last hop becomes the hop `rest`, if that is given. */
  end(attributes?: Attributes, more?: { rest?: string; at?: number }): void;
}

/** The commit of a traced call, which may share its command with others. */
export interface CommitSpan {
  /** Records how many updates the commit will append, and returns the `traceparent` to keep with them. */
  append(updates: number): string;
  /** Records that the updates have been appended. */
  appended(): void;
  /** Records how many transactions the command commits, and links to another traced commit in it. */
  share(transactions: number, other: CommitSpan | undefined): void;
}

/** Starts traces, and continues those of another process. */
export interface Tracing {
  readonly isOn: boolean;
  /**
   * Starts the span of a request of the organization ('' for the root key) that arrived `elapsedTime` ms ago. Undefined if it is not
   * sampled, which costs only a random number.
   */
  begin(
    name: string,
    attributes: Attributes,
    headers: Readonly<Record<string, unknown>>,
    waited: { readonly elapsedTime: number },
    organizationId: string,
  ): Trace | undefined;
  /** Starts a span of a trace from another process; undefined without a context. */
  resume(context: TraceContext | undefined, name: string, options: SpanOptions): Trace | undefined;
  /**
   * Starts the span of a delivery in the trace `parent`; undefined without one. An update may cause many deliveries, so the result is
   * undefined too if too many of the organization are traced.
   */
  deliver(
    parent: string | undefined,
    organizationId: string,
    name: string,
    options: SpanOptions,
  ): Trace | undefined;
  /** Whether another run of an async call may be traced: a call may be retried many times, long after its request. */
  mayRun(organizationId: string): boolean;
  /** Exports the remaining spans, for at most `graceMs`. */
  close(graceMs: number): Promise<void>;
}

/** Traces nothing: used if no endpoint is configured. */
export const NO_TRACING: Tracing = {
  isOn: false,
  begin: () => undefined,
  resume: () => undefined,
  deliver: () => undefined,
  mayRun: () => false,
  close: async () => undefined,
};
