import { setTimeout as sleep } from 'node:timers/promises';
import { createTraceState, DiagLogLevel, diag, type SpanContext, TraceFlags } from '@opentelemetry/api';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, RandomIdGenerator, type SpanExporter } from '@opentelemetry/sdk-trace-base';
import type { Logger } from '../logger.ts';
import { VERSION } from '../version.ts';
import { HopSpan, type SpanSource } from './hop-span.ts';
import { OtelTrace } from './otel-trace.ts';
import { reportFailures } from './report-failures.ts';
import { openSampling, type Sampling } from './sampling.ts';
import type { Attributes, SpanOptions, Trace, Tracing } from './trace.ts';
import { TraceBudget } from './trace-budget.ts';
import { type ParentIds, parseParent, readState, type TraceContext } from './trace-context.ts';
import { TraceShares } from './trace-shares.ts';
import type { TracingConfig } from './tracing-config.ts';

const SCOPE = { name: 'switchboard', version: VERSION };

/**
 * Starts the library, with the exporter and resource that the standard's variables ask for. Variables that limit attributes are ignored:
 * spans have few attributes, of bounded length.
 */
export async function startTracing(
  config: TracingConfig,
  part: string,
  now: () => number,
  log: Logger,
): Promise<Tracing> {
  // The library reports wrong variables while it starts. Later it would repeat each failed export.
  const warn = (message: string) => log.warn(message);
  const quiet = () => undefined;
  diag.setLogger(
    { error: warn, warn, info: quiet, debug: quiet, verbose: quiet },
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
  diag.disable();
  const sampling = openSampling(config.OTEL_TRACES_SAMPLER, config.OTEL_TRACES_SAMPLER_ARG, warn);
  const parts = new TraceShares(config);
  const source: SpanSource = {
    ids: new RandomIdGenerator(),
    resource,
    scope: SCOPE,
    processor,
    now,
    mayFork: (organizationId) => parts.take(organizationId),
  };
  return new OtelTracing(sampling, source, processor, config);
}

async function openExporter(protocol: string): Promise<SpanExporter> {
  const { OTLPTraceExporter } = await (protocol === 'http/json'
    ? import('@opentelemetry/exporter-trace-otlp-http')
    : import('@opentelemetry/exporter-trace-otlp-proto'));
  return new OTLPTraceExporter();
}

class OtelTracing implements Tracing {
  readonly isOn = true;
  private readonly sampling: Sampling;
  private readonly source: SpanSource;
  private readonly processor: BatchSpanProcessor;
  // A separate budget for each kind, so that traces requested by callers do not use up the sampler's. Of the kinds that callers can
  // multiply, each organization has a share.
  private readonly own: TraceBudget;
  private readonly asked: TraceShares;
  private readonly deliveries: TraceShares;
  private readonly runs: TraceShares;

  constructor(sampling: Sampling, source: SpanSource, processor: BatchSpanProcessor, config: TracingConfig) {
    this.sampling = sampling;
    this.source = source;
    this.processor = processor;
    this.own = new TraceBudget(config);
    this.asked = new TraceShares(config);
    this.deliveries = new TraceShares(config);
    this.runs = new TraceShares(config);
  }

  begin(
    name: string,
    attributes: Attributes,
    headers: Readonly<Record<string, unknown>>,
    waited: { readonly elapsedTime: number },
    organizationId: string,
  ): Trace | undefined {
    const { traceparent } = headers;
    const parent = traceparent === undefined ? null : parseParent(traceparent);
    const inside =
      parent === null ? this.newContext() : this.contextIn(parent, headers.tracestate, organizationId);
    if (inside === null) return undefined;
    const since = this.source.now() - waited.elapsedTime;
    return this.start(inside, name, { kind: 'server', attributes, since }, organizationId);
  }

  resume(context: TraceContext | undefined, name: string, options: SpanOptions): Trace | undefined {
    if (context === undefined) return undefined;
    const parent = parseParent(context.parent);
    if (parent === null) return undefined;
    const since = options.since ?? this.source.now();
    return this.start(contextOf(parent, context.state), name, { ...options, since });
  }

  deliver(
    parent: string | undefined,
    organizationId: string,
    name: string,
    options: SpanOptions,
  ): Trace | undefined {
    if (parent === undefined || !this.deliveries.take(organizationId)) return undefined;
    return this.resume({ parent }, name, options);
  }

  mayRun(organizationId: string): boolean {
    return this.runs.take(organizationId);
  }

  async close(graceMs: number): Promise<void> {
    await Promise.race([
      this.processor.shutdown().catch(() => undefined),
      sleep(graceMs, undefined, { ref: false }),
    ]);
  }

  // Null if the request is not traced.
  private newContext(): { traceId: string } | null {
    const traceId = this.sampling.newTraceId();
    return traceId === null || !this.own.take() ? null : { traceId };
  }

  // Null if the request is not traced.
  private contextIn(parent: ParentIds, tracestate: unknown, organizationId: string): SpanContext | null {
    if (!this.sampling.isTraced(parent) || !this.asked.take(organizationId)) return null;
    return contextOf(parent, tracestate);
  }

  private start(
    inside: { traceId: string } | SpanContext,
    name: string,
    options: SpanOptions & { since: number },
    organizationId = '',
  ): Trace {
    const span = new HopSpan(this.source, inside, name, options);
    return new OtelTrace(this.source, span, options.since, organizationId);
  }
}

function contextOf({ traceId, spanId, isSampled }: ParentIds, tracestate: unknown): SpanContext {
  const context: SpanContext = {
    traceId,
    spanId,
    isRemote: true,
    traceFlags: isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
  };
  const state = readState(tracestate);
  if (state !== undefined) context.traceState = createTraceState(state);
  return context;
}
