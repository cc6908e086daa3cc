import type { Logger } from '../logger.ts';
import { NO_TRACING, type Tracing } from './trace.ts';
import type { TracingConfig } from './tracing-config.ts';

/**
 * Starts tracing if an endpoint is configured. The library is loaded only then, so that it costs nothing without tracing. `now` is Redis'
 * time, ms since the epoch: the spans of all processes share one clock.
 */
export async function openTracing(
  config: TracingConfig,
  part: string,
  now: () => number,
  log: Logger,
): Promise<Tracing> {
  const endpoint = config.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? config.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (config.OTEL_SDK_DISABLED || config.OTEL_TRACES_EXPORTER === 'none' || endpoint === undefined)
    return NO_TRACING;
  const { startTracing } = await import('./otel.ts');
  const tracing = await startTracing(config, part, now, log);
  log.info({ to: new URL(endpoint).host, sampler: config.OTEL_TRACES_SAMPLER }, 'calls are traced');
  return tracing;
}
