import { openLogger } from '../../../src/logger.ts';
import { openTracing } from '../../../src/tracing/open-tracing.ts';
import { median } from '../report/statistics.ts';

const ROUNDS = 20;
const REQUESTS = 100_000;

// So rarely that of the requests here none is traced.
const HARDLY_EVER = '1e-9';

/** How long it takes to decide that a request is not traced, in ns: what each request pays once an endpoint is configured. */
export async function measureDecision(endpoint: string): Promise<number> {
  const log = openLogger({ LOG_LEVEL: 'silent' }, 'bench');
  const settings = {
    OTEL_SDK_DISABLED: false,
    OTEL_TRACES_EXPORTER: 'otlp',
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: undefined,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf',
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    OTEL_TRACES_SAMPLER_ARG: HARDLY_EVER,
    TRACES_PER_SECOND: 100,
  } as const;
  const tracing = await openTracing(settings, 'bench', () => performance.now(), log);
  const headers = { host: '127.0.0.1', 'content-type': 'application/json' };
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const startedAt = performance.now();
    for (let count = 0; count < REQUESTS; count += 1)
      tracing.begin('POST /call', {}, headers, { elapsedTime: 1 }, 'org');
    times.push(((performance.now() - startedAt) / REQUESTS) * 1e6);
  }
  await tracing.close(1_000);
  return median(times);
}
