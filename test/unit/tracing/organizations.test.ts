import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { readConfig } from '../../../src/config.ts';
import { openLogger } from '../../../src/logger.ts';
import { openTracing } from '../../../src/tracing/open-tracing.ts';

const PER_SECOND = 20;
const MANY = 1_000;

it('organizations do not take from one another the traces that they ask for, nor those of bulks, runs and deliveries', async () => {
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', TRACES_PER_SECOND: String(PER_SECOND) };
  const log = openLogger({ LOG_LEVEL: 'silent' }, 'test');
  const tracing = await openTracing(readConfig(env), 'test', Date.now, log);
  const parent = () => `00-${randomBytes(16).toString('hex')}-${randomBytes(8).toString('hex')}-01`;
  const ask = (organizationId: string) =>
    tracing.begin('call', {}, { traceparent: parent() }, { elapsedTime: 0 }, organizationId);
  const [loud, quiet] = [ask('loud'), ask('quiet')];
  const kinds: ((organizationId: string) => unknown)[] = [
    ask,
    (organizationId) => (organizationId === 'loud' ? loud : quiet)?.fork('part', {}),
    (organizationId) => tracing.mayRun(organizationId) || undefined,
    (organizationId) => tracing.deliver(parent(), organizationId, 'deliver', {}),
  ];
  for (const begin of kinds) {
    const traced = (count: number, organizationId: string) =>
      Array.from({ length: count }, () => begin(organizationId)).filter((one) => one !== undefined).length;
    const startedAt = performance.now();
    const begun = traced(MANY, 'loud');
    expect(begun).toBeGreaterThan(PER_SECOND / 4);
    expect(begun).toBeLessThanOrEqual(
      (PER_SECOND / 2) * Math.ceil(1 + (performance.now() - startedAt) / 1_000),
    );
    expect(traced(3, 'quiet')).toBe(3);
  }
  await tracing.close(0);
});
