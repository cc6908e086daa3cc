import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Context,
  createTraceState,
  DiagLogLevel,
  diag,
  ROOT_CONTEXT,
  SpanKind,
  TraceFlags,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOnSampler,
  BasicTracerProvider,
  BatchSpanProcessor,
  type IdGenerator,
  RandomIdGenerator,
  type Sampler,
  SamplingDecision,
  type SpanExporter,
} from '@opentelemetry/sdk-trace-base';
import type { Logger } from '../logger.ts';
import { VERSION } from '../version.ts';
import { openSampler } from './open-sampler.ts';
import { OtelTrace, type SpanSource, startSpan } from './otel-trace.ts';
import { reportFailures } from './report-failures.ts';
import type { SpanOptions, Trace, Tracing } from './trace.ts';
import { TraceBudget } from './trace-budget.ts';
import { type ParentIds, parseParent, readState, type TraceContext } from './trace-context.ts';
import type { TracingConfig } from './tracing-config.ts';

const NO_LINKS: never[] = [];

/** Starts the library, with the exporter, sampler, resource and limits that the standard's variables ask for. */
export async function startTracing(
  config: TracingConfig,
  part: string,
  now: () => number,
  log: Logger,
): Promise<Tracing> {
  // It tells of wrong variables while it starts. Later it would repeat each failed export.
  const tell = (message: string) => log.warn(message);
  const quiet = () => undefined;
  diag.setLogger(
    { error: tell, warn: tell, info: quiet, debug: quiet, verbose: quiet },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
  const exporter = reportFailures(await openExporter(config.OTEL_EXPORTER_OTLP_PROTOCOL), log);
  const processor = new BatchSpanProcessor(exporter);
  const resource = resourceFromAttributes({
    'service.name': 'switchboard',
    'service.version': VERSION,
    'process.pid': process.pid,
    'switchboard.part': part,
  }).merge(detectResources({ detectors: [envDetector] }));
  const ids = new Ids();
  // What is part of a trace is in it, whatever the sampler would say of it alone.
  const sampler = new AlwaysOnSampler();
  const provider = new BasicTracerProvider({
    resource,
    spanProcessors: [processor],
    sampler,
    idGenerator: ids,
  });
  const tracer = provider.getTracer('switchboard', VERSION);
  diag.disable();
  const {
    OTEL_TRACES_SAMPLER: name,
    OTEL_TRACES_SAMPLER_ARG: argument,
    TRACES_PER_SECOND: perSecond,
  } = config;
  const requests = openSampler(name, argument);
  return new OtelTracing({ requests, ids, tracer, now, processor, perSecond });
}

/** Makes the ids of spans. That of a trace is made before its first span, for the sampler goes by it. */
class Ids implements IdGenerator {
  private readonly random = new RandomIdGenerator();
  private traceId = '';

  newTraceId(): string {
    this.traceId = this.random.generateTraceId();
    return this.traceId;
  }

  generateTraceId(): string {
    return this.traceId;
  }

  generateSpanId(): string {
    return this.random.generateSpanId();
  }
}

async function openExporter(protocol: string): Promise<SpanExporter> {
  const { OTLPTraceExporter } = await (protocol === 'http/json'
    ? import('@opentelemetry/exporter-trace-otlp-http')
    : import('@opentelemetry/exporter-trace-otlp-proto'));
  return new OTLPTraceExporter();
}

class OtelTracing implements Tracing {
  readonly isOn = true;
  private readonly requests: Sampler;
  private readonly ids: Ids;
  private readonly source: SpanSource;
  private readonly processor: BatchSpanProcessor;
  // One for each kind, so that none takes another's: what callers ask for must not keep out what the sampler takes.
  private readonly own: TraceBudget;
  private readonly asked: TraceBudget;
  private readonly deliveries: TraceBudget;

  constructor(options: {
    requests: Sampler;
    ids: Ids;
    tracer: Tracer;
    now(): number;
    processor: BatchSpanProcessor;
    perSecond: number;
  }) {
    const { requests, ids, tracer, now, processor, perSecond } = options;
    const parts = new TraceBudget(perSecond);
    this.own = new TraceBudget(perSecond);
    this.asked = new TraceBudget(perSecond);
    this.deliveries = new TraceBudget(perSecond);
    this.requests = requests;
    this.ids = ids;
    this.processor = processor;
    this.source = { tracer, now, mayFork: () => parts.take() };
  }

  begin(...[name, headers, { attributes, waitedMs }]: Parameters<Tracing['begin']>): Trace | undefined {
    const parent = headers.traceparent === undefined ? null : parseParent(headers.traceparent);
    const inside = parent === null ? ROOT_CONTEXT : contextOf(parent, headers.tracestate);
    const traceId = parent?.traceId ?? this.ids.newTraceId();
    const { decision } = this.requests.shouldSample(
      inside,
      traceId,
      name,
      SpanKind.SERVER,
      attributes,
      NO_LINKS,
    );
    if (decision !== SamplingDecision.RECORD_AND_SAMPLED) return undefined;
    if (!(parent === null ? this.own : this.asked).take()) return undefined;
    const since = this.source.now() - waitedMs;
    const span = startSpan(this.source.tracer, inside, name, { kind: 'server', attributes, since });
    return new OtelTrace(this.source, span, since);
  }

  resume(context: TraceContext | undefined, name: string, options: SpanOptions): Trace | undefined {
    if (context === undefined) return undefined;
    const parent = parseParent(context.parent);
    if (parent === null) return undefined;
    const inside = contextOf(parent, context.state);
    const since = options.since ?? this.source.now();
    return new OtelTrace(
      this.source,
      startSpan(this.source.tracer, inside, name, { ...options, since }),
      since,
    );
  }

  deliver(parent: string | undefined, name: string, options: SpanOptions): Trace | undefined {
    if (parent === undefined || !this.deliveries.take()) return undefined;
    return this.resume({ parent }, name, options);
  }

  async close(graceMs: number): Promise<void> {
    await Promise.race([
      this.processor.shutdown().catch(() => undefined),
      sleep(graceMs, undefined, { ref: false }),
    ]);
  }
}

function contextOf({ traceId, spanId, isSampled }: ParentIds, tracestate: unknown): Context {
  const state = readState(tracestate);
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId,
    spanId,
    isRemote: true,
    traceFlags: isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
    ...(state === undefined ? {} : { traceState: createTraceState(state) }),
  });
}
