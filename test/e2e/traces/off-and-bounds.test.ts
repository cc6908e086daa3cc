import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { afterEach, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { findFreePort } from '../../support/free-port.ts';
import { Receiver } from '../../support/http/receiver.ts';
import { type Account, Service, type ServiceProcess } from '../../support/service/service.ts';
import { Collector } from '../../support/tracing/collector.ts';

const PROBE = '--import ./test/support/service/loaded-modules.mjs';

const closing: { stop(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const one of closing.splice(0).reverse()) await one.stop();
});

function stopped<T extends { stop(): Promise<unknown> }>(one: T): T {
  closing.push(one);
  return one;
}

async function start(env: Record<string, string>): Promise<{ service: Service; account: Account }> {
  const service = stopped(await Service.start({ env: { NODE_OPTIONS: PROBE, ...env } }));
  return { service, account: await service.anAccount((await service.aWorkspace()).id) };
}

/** How many modules of the library a process has loaded. */
async function loadedBy({ child }: ServiceProcess): Promise<number> {
  const answered = new Promise<string[]>((resolve) => {
    // An API process says that it listens, too.
    child.on('message', (message) => Array.isArray(message) && resolve(message));
  });
  child.send('loaded modules');
  const files = await answered;
  // prom-client loads the interface, with nothing behind it.
  return files.filter((file) => /@opentelemetry\/(?!api\/)/.test(file)).length;
}

function traceparent(): string {
  return `00-${randomBytes(16).toString('hex')}-${randomBytes(8).toString('hex')}-01`;
}

function send(service: Service, account: Account) {
  const params = { peer: { _: 'inputPeerSelf' }, message: 'hello' };
  return service.call(account, 'messages.sendMessage', params, { headers: { traceparent: traceparent() } });
}

it('without an endpoint nothing is loaded, and nothing told to webhooks', async () => {
  const receiver = stopped(await Receiver.start());
  const { service, account } = await start({ WEBHOOKS_ALLOW_PRIVATE: '1' });
  await service.ok('POST', '/v1/webhooks', { workspaceId: account.workspaceId, url: receiver.url });
  expect((await send(service, account)).status).toBe(200);
  await eventually(() => receiver.received.length > 0);
  expect(receiver.received.filter(({ headers }) => headers.traceparent !== undefined)).toEqual([]);
  for (const one of [...service.apis, ...service.workers]) expect(await loadedBy(one)).toBe(0);
});

it('callers get no more traces than the bound, whatever they ask for, and others keep theirs', async () => {
  const collector = stopped(await Collector.start());
  const { service, account } = await start({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_BSP_SCHEDULE_DELAY: '100',
    TRACES_PER_SECOND: '1',
  });
  for (const one of [...service.apis, ...service.workers]) expect(await loadedBy(one)).toBeGreaterThan(0);
  const startedAt = performance.now();
  for (let round = 0; round < 100; round += 1) expect((await send(service, account)).status).toBe(200);
  const seconds = (performance.now() - startedAt) / 1_000;
  expect((await service.call(account, 'help.getSupport', {})).status).toBe(200);
  const roots = () => collector.spans.filter(({ name }) => name.startsWith('POST '));
  await eventually(() => roots().some(({ parentSpanId }) => parentSpanId === ''));
  const asked = roots().filter(({ parentSpanId }) => parentSpanId !== '');
  expect(asked.length).toBeGreaterThan(0);
  expect(asked.length).toBeLessThanOrEqual(2 + seconds);
});

it('calls of a bulk that are only validated use up none of the traces of an organization', async () => {
  const collector = stopped(await Collector.start());
  const { service, account } = await start({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_BSP_SCHEDULE_DELAY: '100',
    TRACES_PER_SECOND: '10',
  });
  const bulk = (count: number, query = '') => {
    const one = { accountId: account.id, method: 'help.getSupport', params: {} };
    const body = { calls: Array.from({ length: count }, () => one) };
    const path = `/workspaces/${account.workspaceId}/calls${query}`;
    return service.request('POST', path, body, { headers: { traceparent: traceparent() } });
  };
  expect((await bulk(100, '?validate=only')).status).toBe(200);
  expect((await bulk(2)).status).toBe(200);
  await eventually(() => collector.spans.filter(({ name }) => name === 'call').length === 2);
});

it('a stopping process exports what it has, as protobuf unless JSON is asked for', async () => {
  const collector = stopped(await Collector.start());
  const { service, account } = await start({
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/v1/traces`,
    OTEL_BSP_SCHEDULE_DELAY: '600000',
  });
  expect((await send(service, account)).status).toBe(200);
  expect(collector.exports).toEqual([]);
  for (const { child } of [...service.workers, ...service.apis]) {
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
  }
  expect(collector.exports.map(({ type }) => type)).toEqual([
    'application/x-protobuf',
    'application/x-protobuf',
  ]);
  const [worker, api] = collector.exports.map(({ body }) => body);
  expect(worker).toContain('process shared');
  expect(api).toContain('send shared');
});

it('while the collector is away calls go on, and the log says it once', async () => {
  const gone = await Collector.start(await findFreePort());
  await gone.stop();
  const { service, account } = await start({
    OTEL_EXPORTER_OTLP_ENDPOINT: gone.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_EXPORTER_OTLP_TIMEOUT: '300',
    OTEL_BSP_SCHEDULE_DELAY: '50',
    OTEL_BSP_MAX_QUEUE_SIZE: '8',
    OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '4',
  });
  const processes = [...service.apis, ...service.workers];
  /** How often each process has said so. */
  const times = (msg: string) => processes.map(({ logs }) => logs.filter((line) => line.msg === msg).length);
  const AWAY = 'traces cannot be exported; they are dropped until they can';
  const sendSome = async () => {
    for (let round = 0; round < 20; round += 1) expect((await send(service, account)).status).toBe(200);
  };
  await sendSome();
  await eventually(() => !times(AWAY).includes(0));
  await sendSome();
  // Until more exports have failed.
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  expect(times(AWAY)).toEqual([1, 1]);
  const collector = stopped(await Collector.start(gone.port));
  await eventually(async () => {
    await send(service, account);
    return !times('traces are exported again').includes(0);
  });
  expect(collector.spans.length).toBeGreaterThan(0);
  expect(processes.flatMap(({ stderr }) => stderr)).toEqual([]);
});
