import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { Receiver } from '../../support/http/receiver.ts';
import { callAsync, endOf, messageTo } from '../../support/service/async-calls.ts';
import { type Account, Service } from '../../support/service/service.ts';
import { Collector, type Span } from '../../support/tracing/collector.ts';

const CANARY = 'canary4c1e';
const PATH = '/workspaces/:workspaceId/messenger-accounts/:accountId/call/:method';
const ROOT = `POST ${PATH}`;
// A time is written in ns and read back in µs.
const RESOLUTION_MS = 0.01;

let collector: Collector;
let receiver: Receiver;
let service: Service;
let ada: Account;
let bob: Account;

beforeAll(async () => {
  collector = await Collector.start();
  receiver = await Receiver.start();
  service = await Service.start({
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_EXPORTER_OTLP_HEADERS: 'x-key=of-the-collector',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment=test',
      OTEL_BSP_SCHEDULE_DELAY: '100',
      TRACES_PER_SECOND: '1000',
      WEBHOOKS_ALLOW_PRIVATE: '1',
      CALL_TIMEOUT_MS: '120000',
      ASYNC_CALL_RETRY_MS: '10',
      SLOW_CALL_MS: '1',
    },
  });
  const { id: workspaceId } = await service.aWorkspace();
  [ada, bob] = [await service.anAccount(workspaceId), await service.anAccount(workspaceId)];
  await service.ok('POST', '/v1/webhooks', {
    workspaceId,
    url: receiver.url,
    kinds: ['RawUpdateNewMessage'],
  });
});
afterAll(async () => {
  await service.stop();
  await Promise.all([collector.stop(), receiver.stop()]);
});

/** The headers of a caller who traces. */
function aParent(isSampled = true) {
  const [traceId, spanId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
  return { traceId, spanId, headers: { traceparent: `00-${traceId}-${spanId}-0${isSampled ? 1 : 0}` } };
}

function named(spans: Span[], name: string): Span {
  const found = spans.find((span) => span.name === name);
  if (found === undefined) throw new Error(`there is no span ${name}`);
  return found;
}

/** Checks that spans follow one another without a gap or an overlap, from the begin of the whole to its end. */
function expectToAddUp(whole: Span, hops: Span[]): void {
  const edges = [whole.start, ...hops.flatMap(({ start, end }) => [start, end]), whole.end];
  for (let at = 0; at < edges.length; at += 2)
    expect(Math.abs((edges[at + 1] as number) - (edges[at] as number))).toBeLessThanOrEqual(RESOLUTION_MS);
  for (const { start, end } of hops) expect(end).toBeGreaterThanOrEqual(start);
}

it('a sent message is one trace of all hops, which add up to the whole, up to the webhook', async () => {
  const { traceId, spanId, headers } = aParent();
  const answer = await service.call(ada, 'messages.sendMessage', messageTo(bob, `${CANARY} hello`), {
    headers: { ...headers, tracestate: 'vendor=1' },
  });
  expect(answer.status).toBe(200);
  const within = ['prepare', 'run messages.sendMessage', 'commit'];
  const hops = ['receive', 'send shared', 'queue shared', 'process shared', 'reply', 'respond'];
  const names = [ROOT, ...hops, ...within, 'append updates', 'deliver webhook'];
  const spans = await collector.untilTrace(traceId, names);
  expect(new Set(spans.map(({ name }) => name))).toEqual(new Set(names));

  const root = named(spans, ROOT);
  expect(root).toMatchObject({ parentSpanId: spanId, kind: 2, traceState: 'vendor=1' });
  expect(root.attributes).toMatchObject({
    'http.request.method': 'POST',
    'http.route': PATH,
    'http.response.status_code': 200,
    'switchboard.method': 'messages.sendMessage',
    'switchboard.workspace.id': ada.workspaceId,
    'switchboard.account.id': ada.id,
    'switchboard.call.id': answer.headers.get('call-id'),
  });
  expectToAddUp(
    root,
    hops.map((name) => named(spans, name)),
  );
  for (const name of hops) expect(named(spans, name).parentSpanId).toBe(root.spanId);

  const run = named(spans, 'process shared');
  expect(run).toMatchObject({ kind: 5, traceState: 'vendor=1' });
  expect(run.attributes).toMatchObject({
    'messaging.destination.name': 'shared',
    'messaging.batch.message_count': 1,
    'switchboard.attempt': 1,
    'switchboard.status': 200,
  });
  const inner = within.map((name) => named(spans, name));
  for (const { parentSpanId } of inner) expect(parentSpanId).toBe(run.spanId);
  expectToAddUp({ ...run, end: (inner.at(-1) as Span).end }, inner);
  expect((inner.at(-1) as Span).end).toBeLessThanOrEqual(run.end);

  const appended = named(spans, 'append updates');
  expect(appended.parentSpanId).toBe((inner.at(-1) as Span).spanId);
  expect(appended.attributes['messaging.batch.message_count']).toBe(2);
  expect(root.resource).toMatchObject({
    'service.name': 'switchboard',
    'switchboard.part': 'api',
    'deployment.environment': 'test',
  });
  expect(run.resource['switchboard.part']).toBe('worker');
  expect(collector.exports.every(({ key }) => key === 'of-the-collector')).toBe(true);
  // Both of its deliveries, so that none is taken for one of the next test.
  await eventually(() => receiver.received.length >= 2);
});

it('a webhook is told the trace of what caused its delivery, in each request another span', async () => {
  receiver.answer = (_, count) => (count === before ? 500 : 204);
  const before = receiver.received.length;
  const { traceId, headers } = aParent();
  await service.call(ada, 'messages.sendMessage', messageTo(bob, `${CANARY} to the webhook`), { headers });
  const told = () =>
    receiver.received.slice(before).map((request) => String(request.headers.traceparent).split('-'));
  await eventually(() => told().length >= 2, { timeoutMs: 60_000 });
  await collector.untilTrace(traceId, [ROOT, 'deliver webhook']);
  await eventually(() => told().every(([, , span]) => collector.spans.some(({ spanId }) => spanId === span)));
  for (const [version, trace, , flags] of told())
    expect([version, trace, flags]).toEqual(['00', traceId, '01']);
  const [failed, ...others] = told().map(([, , span]) =>
    collector.spans.find(({ spanId }) => spanId === span),
  );
  const appended = named(collector.trace(traceId), 'append updates');
  expect(failed).toMatchObject({ kind: 3, parentSpanId: appended.spanId });
  expect(failed?.attributes).toMatchObject({ 'http.response.status_code': 500, 'switchboard.attempt': 1 });
  expect(others.every((span) => span?.attributes['http.response.status_code'] === 204)).toBe(true);
});

it('who has no valid traceparent begins a trace; who says that it is not sampled has none', async () => {
  const from = collector.spans.length;
  const odd = [
    '',
    'nonsense',
    `00-${'0'.repeat(32)}-${'1'.repeat(16)}-01`,
    `00-${'1'.repeat(32)}-zz-01`,
    'x'.repeat(9_000),
  ];
  for (const traceparent of odd)
    expect((await service.call(ada, 'help.getSupport', {}, { headers: { traceparent } })).status).toBe(200);
  const huge = { ...aParent().headers, tracestate: `a=${'b'.repeat(600)}` };
  expect((await service.call(ada, 'help.getSupport', {}, { headers: huge })).status).toBe(200);
  const roots = () => collector.spans.slice(from).filter(({ name }) => name === ROOT);
  await eventually(() => roots().length > odd.length);
  expect(roots().filter(({ parentSpanId }) => parentSpanId === '')).toHaveLength(odd.length);
  expect(roots().map(({ traceState }) => traceState)).toEqual(roots().map(() => ''));

  const silent = aParent(false);
  await service.call(ada, 'help.getSupport', {}, { headers: silent.headers });
  const { traceId, headers } = aParent();
  await service.call(ada, 'help.getSupport', {}, { headers });
  await collector.untilTrace(traceId, [ROOT, 'process shared']);
  expect(collector.trace(silent.traceId)).toEqual([]);
});

it('calls of one commit stay in their own traces and are linked', async () => {
  const parents = Array.from({ length: 40 }, () => aParent());
  await Promise.all(
    parents.map(({ headers }, index) =>
      service.call(ada, 'messages.sendMessage', messageTo(bob, `${CANARY} ${index}`), { headers }),
    ),
  );
  for (const { traceId } of parents) await collector.untilTrace(traceId, [ROOT, 'commit', 'reply']);
  const commits = parents.map(({ traceId }) => named(collector.trace(traceId), 'commit'));
  const linked = commits.filter(({ links }) => links.length > 0);
  expect(linked.length).toBeGreaterThan(0);
  for (const { links, attributes } of linked) {
    expect(Number(attributes['switchboard.commit.transactions'])).toBeGreaterThan(1);
    expect(links).toHaveLength(1);
  }
});

it('a call whose worker is killed goes on in its trace, as another attempt', async () => {
  const eve = await service.anAccount(ada.workspaceId);
  const faults = [{ method: 'messages.sendMessage', count: 1, delayMs: 6_000 }];
  await service.ok('PUT', `/v1/messenger-accounts/${eve.id}/sandbox/faults`, { faults });
  const { traceId, headers } = aParent();
  const params = { peer: { _: 'inputPeerSelf' }, message: CANARY };
  const answer = service.call(eve, 'messages.sendMessage', params, { headers });
  await collector.untilTrace(traceId, ['queue slow']);
  for (const { child } of service.workers.splice(0)) child.kill('SIGKILL');
  await service.startWorker();
  expect((await answer).status).toBe(200);
  // It has to wait, and so goes on in the slow lane.
  const again = ['process lone', 'process slow'];
  const spans = await collector.untilTrace(traceId, [ROOT, ...again, 'reply', 'respond']);
  for (const name of again) expect(named(spans, name).attributes['switchboard.attempt']).toBe(2);
  const waits = spans.filter(({ name }) => name === 'queue slow').toSorted((a, b) => a.start - b.start);
  expect(waits).toHaveLength(2);
  const before = ['receive', 'slot', 'send slow', 'queue lone', 'process lone'].map((name) =>
    named(spans, name),
  );
  const after = ['process slow', 'reply', 'respond'].map((name) => named(spans, name));
  expectToAddUp(named(spans, ROOT), [...before, waits[1] as Span, ...after]);
});

it('an async call and its attempts are in the trace of the request that made it, a bulk of calls in one', async () => {
  const eve = await service.anAccount(ada.workspaceId);
  const faults = [{ method: 'messages.sendMessage', count: 1, error: 'FLOOD_WAIT_1' }];
  await service.ok('PUT', `/v1/messenger-accounts/${eve.id}/sandbox/faults`, { faults });
  const { traceId, headers } = aParent();
  const params = { peer: { _: 'inputPeerSelf' }, message: CANARY };
  const { body } = await callAsync(service, eve, 'messages.sendMessage', params, { headers });
  expect(await endOf(service, body.id)).toMatchObject({ status: 'succeeded', attempts: 2 });
  await collector.untilTrace(traceId, [ROOT, 'accept', 'commit', 'append updates']);
  const attempts = () => collector.trace(traceId).filter(({ name }) => name === 'process async');
  await eventually(() => attempts().length === 2);
  expect(attempts().map(({ attributes }) => attributes['switchboard.attempt'])).toEqual([1, 2]);
  expect(attempts()[0]?.attributes['error.type']).toBe('FLOOD_WAIT');

  const bulk = aParent();
  const calls = ['one', 'two'].map((text) => ({
    messengerAccountId: ada.id,
    method: 'messages.sendMessage',
    params: { ...params, message: `${CANARY} ${text}` },
  }));
  const path = `/workspaces/${ada.workspaceId}/calls`;
  expect((await service.request('POST', path, { calls }, { headers: bulk.headers })).status).toBe(200);
  const spans = await collector.untilTrace(bulk.traceId, ['POST /workspaces/:workspaceId/calls', 'commit']);
  const parts = spans.filter(({ name }) => name === 'call').map(({ spanId }) => spanId);
  expect(parts).toHaveLength(2);
  await eventually(() => {
    const runs = collector.trace(bulk.traceId).filter(({ name }) => name === 'process shared');
    return runs.length === 2 && new Set(runs.map(({ parentSpanId }) => parentSpanId)).size === 2;
  });
});

it('a replayed call is in the trace of the request that asked for it, alone or among others', async () => {
  const eve = await service.anAccount(ada.workspaceId);
  const failed = async (text: string) => {
    const nobody = { peer: { _: 'inputPeerUser', userId: 1, accessHash: '0' }, message: `${CANARY} ${text}` };
    const { body } = await callAsync(service, eve, 'messages.sendMessage', nobody);
    expect(await endOf(service, body.id)).toMatchObject({ status: 'failed' });
    return body.id as string;
  };
  const id = await failed('one');
  const one = aParent();
  const { status, body } = await service.request('POST', `/v1/calls/${id}/replay`, undefined, {
    headers: one.headers,
  });
  expect(status).toBe(202);
  const names = ['receive', 'accept', 'respond', 'queue async', 'process async'];
  const spans = await collector.untilTrace(one.traceId, ['POST /v1/calls/:id/replay', ...names]);
  const root = named(spans, 'POST /v1/calls/:id/replay');
  expect(root).toMatchObject({
    parentSpanId: one.spanId,
    attributes: { 'switchboard.call.id': body.id, 'switchboard.method': 'messages.sendMessage' },
  });
  for (const name of names) expect(named(spans, name).parentSpanId).toBe(root.spanId);
  expect(named(spans, 'process async').attributes['switchboard.call.id']).toBe(body.id);

  await failed('two');
  const all = aParent();
  const wanted = { workspaceId: ada.workspaceId, messengerAccountId: eve.id };
  const answer = await service.request('POST', '/v1/calls/replay', wanted, { headers: all.headers });
  expect(answer.status).toBe(200);
  const parts = () => collector.trace(all.traceId).filter(({ name }) => name === 'call');
  await collector.untilTrace(all.traceId, ['POST /v1/calls/replay', 'process async']);
  await eventually(() => parts().length === answer.body.found);
  expect(answer.body.replayed).toBeGreaterThan(0);
  const runs = collector.trace(all.traceId).filter(({ name }) => name === 'process async');
  expect(parts().map(({ spanId }) => spanId)).toContain(runs[0]?.parentSpanId);
});

it('log lines of a traced call name its trace', async () => {
  const { traceId, headers } = aParent();
  const nobody = { peer: { _: 'inputPeerUser', userId: 1, accessHash: '0' }, message: CANARY };
  const answer = await service.call(ada, 'messages.sendMessage', nobody, { headers });
  const callId = answer.headers.get('call-id');
  const line = await eventually(() =>
    service.workers.flatMap(({ logs }) => logs).find((one) => one.callId === callId),
  );
  expect(line.traceId).toBe(traceId);
  const spans = await collector.untilTrace(traceId, ['process shared']);
  expect(named(spans, 'process shared').attributes['error.type']).toBe('PEER_ID_INVALID');
});

it('nothing that was sent in them has been exported', () => {
  expect(collector.exports.length).toBeGreaterThan(5);
  expect(collector.exports.filter(({ body }) => body.includes(CANARY))).toEqual([]);
});
