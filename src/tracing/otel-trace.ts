import {
  type Context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import type { Attributes, CommitSpan, SpanOptions, Trace } from './trace.ts';
import { formatParent, type TraceContext } from './trace-context.ts';

const KINDS = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
};

// Two processes' estimates of Redis' time differ a little: what the other one has told is not before its time.
const SKEW_MAX_MS = 1_000;

const STREAM = { 'messaging.system': 'redis', 'messaging.operation.type': 'send' };

/** What spans are made with. */
export interface SpanSource {
  tracer: Tracer;
  /** Redis' time, ms since the epoch. */
  now(): number;
  /** Whether one more part of a trace may be traced. */
  mayFork(): boolean;
}

/** Begins a span at `since`. */
export function startSpan(
  tracer: Tracer,
  inside: Context,
  name: string,
  { kind = 'internal', attributes = {}, since }: SpanOptions & { since: number },
): Span {
  return tracer.startSpan(name, { kind: KINDS[kind], attributes, startTime: since }, inside);
}

/** A sampled span that is cut into hops, made with the library. */
export class OtelTrace implements Trace {
  private readonly source: SpanSource;
  private readonly span: Span;
  private readonly inside: Context;
  private commitSpan: OtelCommit | undefined;
  private since: number;

  constructor(source: SpanSource, span: Span, since: number) {
    this.source = source;
    this.span = span;
    this.inside = trace.setSpan(ROOT_CONTEXT, span);
    this.since = since;
  }

  get id(): string {
    return this.span.spanContext().traceId;
  }

  get context(): TraceContext {
    const state = this.span.spanContext().traceState?.serialize();
    return { parent: parentOf(this.span), ...(state ? { state } : {}) };
  }

  get at(): number {
    return this.since;
  }

  set(attributes: Attributes): void {
    note(this.span, attributes);
  }

  hop(name: string, { kind = 'internal', attributes = {} }: Omit<SpanOptions, 'since'> = {}): void {
    const span = this.commitSpan?.span ?? this.start(name, { kind });
    this.commitSpan = undefined;
    note(span, attributes);
    this.skip(this.source.now());
    span.end(this.since);
  }

  skip(at: number): void {
    this.since = Math.max(this.since, Math.min(at, this.source.now() + SKEW_MAX_MS));
  }

  commit(): CommitSpan {
    const span = this.start('commit', {});
    this.commitSpan = new OtelCommit(this.source, span, this.since);
    return this.commitSpan;
  }

  fork(name: string, attributes: Attributes): Trace | undefined {
    if (!this.source.mayFork()) return undefined;
    const since = this.source.now();
    const span = startSpan(this.source.tracer, this.inside, name, { attributes, since });
    return new OtelTrace(this.source, span, since);
  }

  end(attributes: Attributes = {}, { rest, at }: { rest?: string; at?: number } = {}): void {
    if (rest !== undefined) this.hop(rest);
    note(this.span, attributes);
    this.span.end(at ?? (rest === undefined ? Math.max(this.since, this.source.now()) : this.since));
  }

  private start(name: string, options: SpanOptions): Span {
    return startSpan(this.source.tracer, this.inside, name, { ...options, since: this.since });
  }
}

class OtelCommit implements CommitSpan {
  readonly span: Span;
  private readonly source: SpanSource;
  private readonly since: number;
  private updates: Span | undefined;

  constructor(source: SpanSource, span: Span, since: number) {
    this.source = source;
    this.span = span;
    this.since = since;
  }

  append(updates: number): string {
    const attributes = { ...STREAM, 'messaging.batch.message_count': updates };
    const options = { kind: 'producer', attributes, since: this.since } as const;
    const inside = trace.setSpan(ROOT_CONTEXT, this.span);
    this.updates = startSpan(this.source.tracer, inside, 'append updates', options);
    return parentOf(this.updates);
  }

  appended(): void {
    this.updates?.end(Math.max(this.since, this.source.now()));
  }

  share(transactions: number, other: CommitSpan | undefined): void {
    this.span.setAttribute('switchboard.commit.transactions', transactions);
    if (other instanceof OtelCommit && other !== this)
      this.span.addLink({ context: other.span.spanContext() });
  }
}

function note(span: Span, attributes: Attributes): void {
  span.setAttributes(attributes);
  if (attributes['error.type'] !== undefined) span.setStatus({ code: SpanStatusCode.ERROR });
}

function parentOf(span: Span): string {
  const { traceId, spanId } = span.spanContext();
  return formatParent({ traceId, spanId, isSampled: true });
}
