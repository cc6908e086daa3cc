import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Context,
  createTraceState,
  DiagLogLevel,
  diag,
  ROOT_CONTEXT,
  TraceFlags,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOnSampler,
  BasicTracerProvider,
  BatchSpanProcessor,
  type SpanExporter,
} from '@opentelemetry/sdk-trace-base';
import type { Logger } from '../logger.ts';
import { VERSION } from '../version.ts';
import { OtelTrace, type SpanSource, startSpan } from './otel-trace.ts';
import { reportFailures } from './report-failures.ts';
import type { SpanOptions, Trace, Tracing } from './trace.ts';
import { TraceBudget } from './trace-budget.ts';
import { parseParent, readState, type TraceContext } from './trace-context.ts';
import type { TracingConfig } from './tracing-config.ts';

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
  const shared = { resource, spanProcessors: [processor] };
  const roots = new BasicTracerProvider(shared).getTracer('switchboard', VERSION);
  // What is part of a trace is in it, whatever the sampler would say of it alone.
  const parts = new BasicTracerProvider({ ...shared, sampler: new AlwaysOnSampler() });
  diag.disable();
  const tracer = parts.getTracer('switchboard', VERSION);
  return new OtelTracing({ roots, tracer, now, processor, perSecond: config.TRACES_PER_SECOND });
}

async function openExporter(protocol: string): Promise<SpanExporter> {
  const { OTLPTraceExporter } = await (protocol === 'http/json'
    ? import('@opentelemetry/exporter-trace-otlp-http')
    : import('@opentelemetry/exporter-trace-otlp-proto'));
  return new OTLPTraceExporter();
}

class OtelTracing implements Tracing {
  readonly isOn = true;
  private readonly roots: Tracer;
  private readonly source: SpanSource;
  private readonly processor: BatchSpanProcessor;
  // One for each kind, so that none takes another's: what callers ask for must not keep out what the sampler takes.
  private readonly own: TraceBudget;
  private readonly asked: TraceBudget;
  private readonly deliveries: TraceBudget;

  constructor(options: {
    roots: Tracer;
    tracer: Tracer;
    now(): number;
    processor: BatchSpanProcessor;
    perSecond: number;
  }) {
    const { roots, tracer, now, processor, perSecond } = options;
    const parts = new TraceBudget(perSecond);
    this.own = new TraceBudget(perSecond);
    this.asked = new TraceBudget(perSecond);
    this.deliveries = new TraceBudget(perSecond);
    this.roots = roots;
    this.processor = processor;
    this.source = { tracer, now, mayFork: () => parts.take() };
  }

  begin(...[name, headers, { attributes, waitedMs }]: Parameters<Tracing['begin']>): Trace | undefined {
    const inside =
      headers.traceparent === undefined ? null : contextOf(headers.traceparent, headers.tracestate);
    const since = this.source.now() - waitedMs;
    const span = startSpan(this.roots, inside ?? ROOT_CONTEXT, name, { kind: 'server', attributes, since });
    if (!span.isRecording() || !(inside === null ? this.own : this.asked).take()) return undefined;
    return new OtelTrace(this.source, span, since);
  }

  resume(context: TraceContext | undefined, name: string, options: SpanOptions): Trace | undefined {
    if (context === undefined) return undefined;
    const inside = contextOf(context.parent, context.state);
    if (inside === null) return undefined;
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

function contextOf(traceparent: unknown, tracestate: unknown): Context | null {
  const parent = parseParent(traceparent);
  if (parent === null) return null;
  const { traceId, spanId, isSampled } = parent;
  const state = readState(tracestate);
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId,
    spanId,
    isRemote: true,
    traceFlags: isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
    ...(state === undefined ? {} : { traceState: createTraceState(state) }),
  });
}
