import {
  type HrTime,
  type Link,
  type SpanContext,
  SpanKind,
  type SpanStatus,
  SpanStatusCode,
  TraceFlags,
} from '@opentelemetry/api';
import type { IdGenerator, ReadableSpan, SpanProcessor } from '@opentelemetry/sdk-trace-base';
import type { Attributes, SpanOptions } from './trace.ts';
import { formatParent } from './trace-context.ts';

const KINDS = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
};

const UNSET: SpanStatus = { code: SpanStatusCode.UNSET };
const FAILED: SpanStatus = { code: SpanStatusCode.ERROR };
const NOTHING: Attributes = {};

/** The dependencies of a process's spans. */
export interface SpanSource {
  ids: Pick<IdGenerator, 'generateSpanId'>;
  resource: ReadableSpan['resource'];
  scope: ReadableSpan['instrumentationScope'];
  /** Receives ended spans. */
  processor: Pick<SpanProcessor, 'onEnd'>;
  /** Redis' time, ms since the epoch. */
  now(): number;
  /** Whether another part of a trace of the organization may be traced. */
  mayFork(organizationId: string): boolean;
}

/**
 * A sampled span that the library can export. The library's own span samples again, and checks and copies each attribute twice, which is
 * most of the cost of a traced call.
 */
export class HopSpan implements ReadableSpan {
  readonly name: string;
  readonly kind: SpanKind;
  readonly parentSpanContext?: SpanContext;
  readonly startTime: HrTime;
  readonly links: Link[] = [];
  readonly events: never[] = [];
  readonly droppedAttributesCount = 0;
  readonly droppedEventsCount = 0;
  readonly droppedLinksCount = 0;
  endTime: HrTime = [0, 0];
  status = UNSET;
  attributes: Attributes;
  ended = false;
  private readonly source: SpanSource;
  private readonly own: SpanContext;
  private readonly since: number;

  /** `inside` is a trace, or a span of it. */
  constructor(
    source: SpanSource,
    inside: { traceId: string } | SpanContext,
    name: string,
    { kind = 'internal', attributes = NOTHING, since }: SpanOptions & { since: number },
  ) {
    const { traceId } = inside;
    const spanId = source.ids.generateSpanId();
    this.own = { traceId, spanId, traceFlags: TraceFlags.SAMPLED };
    if ('spanId' in inside) {
      this.parentSpanContext = inside;
      if (inside.traceState !== undefined) this.own.traceState = inside.traceState;
    }
    this.source = source;
    this.name = name;
    this.kind = KINDS[kind];
    this.attributes = attributes;
    this.since = since;
    this.startTime = toHrTime(since);
  }

  get resource(): ReadableSpan['resource'] {
    return this.source.resource;
  }

  get instrumentationScope(): ReadableSpan['instrumentationScope'] {
    return this.source.scope;
  }

  get duration(): HrTime {
    const [seconds, nanos] = [this.endTime[0] - this.startTime[0], this.endTime[1] - this.startTime[1]];
    return nanos < 0 ? [seconds - 1, nanos + 1e9] : [seconds, nanos];
  }

  /** The `traceparent` for work that it causes. */
  get asParent(): string {
    const { traceId, spanId } = this.own;
    return formatParent({ traceId, spanId, isSampled: true });
  }

  spanContext(): SpanContext {
    return this.own;
  }

  /** Adds attributes. `error.type` marks it as failed. */
  addAttributes(attributes: Attributes): void {
    if (this.ended) return;
    this.attributes = this.attributes === NOTHING ? attributes : { ...this.attributes, ...attributes };
    if (attributes['error.type'] !== undefined) this.status = FAILED;
  }

  end(at: number): void {
    if (this.ended) return;
    this.ended = true;
    this.endTime = toHrTime(Math.max(this.since, at));
    this.source.processor.onEnd(this);
  }
}

function toHrTime(ms: number): HrTime {
  return [Math.floor(ms / 1_000), Math.round((ms % 1_000) * 1e6)];
}
