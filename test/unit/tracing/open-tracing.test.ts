import { expect, it } from 'vitest';
import { readConfig } from '../../../src/config.ts';
import { openLogger } from '../../../src/logger.ts';
import { openTracing } from '../../../src/tracing/open-tracing.ts';
import { NO_TRACING } from '../../../src/tracing/trace.ts';

const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' };
const log = openLogger({ LOG_LEVEL: 'silent' }, 'test');

const OFF: Record<string, string>[] = [
  {},
  { OTEL_EXPORTER_OTLP_ENDPOINT: '' },
  { ...ENDPOINT, OTEL_SDK_DISABLED: 'True' },
  { ...ENDPOINT, OTEL_TRACES_EXPORTER: 'none' },
];

it.each(OFF)('%j is off', async (env) => {
  expect(await openTracing(readConfig(env), 'test', Date.now, log)).toBe(NO_TRACING);
});

it.each(['collector:4318', 'grpc://collector:4317'])('%s is no endpoint', (endpoint) => {
  expect(() => readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint })).toThrow(
    /OTEL_EXPORTER_OTLP_ENDPOINT is wrong/,
  );
});
