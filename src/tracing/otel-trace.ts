import { HopSpan, type SpanSource } from './hop-span.ts';
import type { Attributes, CommitSpan, SpanOptions, Trace } from './trace.ts';
import type { TraceContext } from './trace-context.ts';

// Two processes' estimates of Redis' time may differ by this much.
const SKEW_MAX_MS = 1_000;

const STREAM = { 'messaging.system': 'redis', 'messaging.operation.type': 'send' };

/** A sampled span that is cut into hops, and exported by OpenTelemetry's library. */
export class OtelTrace implements Trace {
  private readonly source: SpanSource;
  private readonly span: HopSpan;
  private readonly organizationId: string;
  private commitSpan: OtelCommit | undefined;
  private since: number;

  constructor(source: SpanSource, span: HopSpan, since: number, organizationId: string) {
    this.source = source;
    this.span = span;
    this.since = since;
    this.organizationId = organizationId;
  }

  get id(): string {
    return this.span.spanContext().traceId;
  }

  get context(): TraceContext {
    const state = this.span.spanContext().traceState?.serialize();
    return state ? { parent: this.span.asParent, state } : { parent: this.span.asParent };
  }

  get at(): number {
    return this.since;
  }

  set(attributes: Attributes): void {
    this.span.addAttributes(attributes);
  }

  hop(name: string, { kind = 'internal', attributes }: Omit<SpanOptions, 'since'> = {}): void {
    // If `beginCommit` has started the current hop, this ends it, and it keeps the name `commit`.
    const span = this.commitSpan?.span ?? this.start(name, { kind });
    this.commitSpan = undefined;
    if (attributes !== undefined) span.addAttributes(attributes);
    this.skip(this.source.now());
    span.end(this.since);
  }

  skip(at: number): void {
    this.since = Math.max(this.since, Math.min(at, this.source.now() + SKEW_MAX_MS));
  }

  beginCommit(): CommitSpan {
    this.commitSpan = new OtelCommit(this.source, this.start('commit', {}), this.since);
    return this.commitSpan;
  }

  fork(name: string, attributes: Attributes): Trace | undefined {
    if (!this.source.mayFork(this.organizationId)) return undefined;
    const since = this.source.now();
    const span = new HopSpan(this.source, this.span.spanContext(), name, { attributes, since });
    return new OtelTrace(this.source, span, since, this.organizationId);
  }

  end(attributes?: Attributes, { rest, at }: { rest?: string; at?: number } = {}): void {
    if (rest !== undefined) this.hop(rest);
    if (attributes !== undefined) this.span.addAttributes(attributes);
    this.span.end(at ?? (rest === undefined ? Math.max(this.since, this.source.now()) : this.since));
  }

  private start(name: string, options: SpanOptions): HopSpan {
    return new HopSpan(this.source, this.span.spanContext(), name, { ...options, since: this.since });
  }
}

class OtelCommit implements CommitSpan {
  readonly span: HopSpan;
  private readonly source: SpanSource;
  private readonly since: number;
  private updates: HopSpan | undefined;

  constructor(source: SpanSource, span: HopSpan, since: number) {
    this.source = source;
    this.span = span;
    this.since = since;
  }

  append(updates: number): string {
    const attributes = { ...STREAM, 'messaging.batch.message_count': updates };
    const options = { kind: 'producer', attributes, since: this.since } as const;
    this.updates = new HopSpan(this.source, this.span.spanContext(), 'append updates', options);
    return this.updates.asParent;
  }

  appended(): void {
    this.updates?.end(this.source.now());
  }

  share(transactions: number, other: CommitSpan | undefined): void {
    this.span.addAttributes({ 'switchboard.commit.transactions': transactions });
    if (other instanceof OtelCommit && other !== this)
      this.span.links.push({ context: other.span.spanContext() });
  }
}
