import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-base';
import type { Logger } from '../logger.ts';

/** The exporter, with one log line when nothing gets through any more, and one when it does again. */
export function reportFailures(exporter: SpanExporter, log: Logger): SpanExporter {
  let isFailing = false;
  return {
    export(spans: ReadableSpan[], done) {
      exporter.export(spans, (result) => {
        const hasFailed = result.error !== undefined || result.code !== 0;
        if (hasFailed && !isFailing)
          log.warn({ err: result.error }, 'traces cannot be exported; they are dropped until they can');
        if (!hasFailed && isFailing) log.info('traces are exported again');
        isFailing = hasFailed;
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
  };
}
