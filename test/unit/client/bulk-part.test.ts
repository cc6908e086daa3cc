import { expect, it } from 'vitest';
import { CALL_VALUES_MAX, parseJson } from '../../../src/api/server/parse-json.ts';
import { BulkPart } from '../../../src/client/calls/bulk-part.ts';
import type { PreparedCall } from '../../../src/client/calls/call-answer.ts';
import { Client } from '../../../src/client/client.ts';
import { NoAnswerError } from '../../../src/client/errors.ts';
import { leavesInDoubt } from '../../../src/client/http/retry.ts';
import { Problem } from '../../../src/problem.ts';
import type { ProblemCode } from '../../../src/problem-table.ts';

const calls = ['one', 'two'].map(
  (idempotencyKey): PreparedCall => ({
    ...{ workspaceId: 'ws_1', accountId: 'acc_1', method: 'help.getConfig', params: {} },
    idempotencyKey,
  }),
);

const kind = {
  show: (body: unknown) => ('result' in (body as object) ? (body as object) : null),
  doubts: leavesInDoubt,
};

it('says of a key of another kind of call that it is used, and gives the other answers', () => {
  const part = new BulkPart(calls, kind);
  const answered = { result: { _: 'config' }, txid: 7 };
  part.record(part.take(), [
    { status: 202, body: { id: 'call_1', status: 'queued' } },
    { status: 200, body: answered },
  ]);
  expect(part.outcomes(null)).toMatchObject([
    { ok: false, error: { code: 'idempotency_key_reused', idempotencyKey: 'one', status: 422 } },
    { ok: true, ...answered },
  ]);
});

it('waits as long as the problem of a call says', () => {
  const part = new BulkPart(calls, kind);
  const problem = new Problem('rate_limited', { headers: { 'retry-after': '60' } });
  const body = JSON.parse(JSON.stringify(problem));
  expect(body.retryAfter).toBe(60);
  const done = { status: 200, body: { result: {}, txid: 1 } };
  expect(() => part.record(part.take(), [{ status: 429, body }, done])).toThrow(
    expect.objectContaining({ retryAfterMs: expect.closeTo(60_000, -3) }),
  );
  expect(part.take()).toEqual([]);
  expect(part.outcomes(null)).toMatchObject([{ error: { retryAfterMs: 60_000 } }, { ok: true }]);
});

const bodyOf = (code: ProblemCode) => JSON.parse(JSON.stringify(new Problem(code)));

const refusal = (code: ProblemCode) => () => {
  const { status } = new Problem(code);
  return Response.json(bodyOf(code), { status });
};

const lost = () => {
  throw new TypeError('the answer is lost');
};

const proxyTimeout = () => new Response('<html>Gateway Time-out</html>', { status: 504 });

const answer = (code: ProblemCode) => () => {
  const { status } = new Problem(code);
  return Response.json({ results: calls.map(() => ({ status, body: bodyOf(code) })) });
};

/** The errors of calls whose requests are answered like this, one after another. */
async function errorsAfter(...answers: (() => Response)[]): Promise<unknown[]> {
  let requests = 0;
  const fetch = async () => {
    requests += 1;
    return (answers[requests - 1] as () => Response)();
  };
  const client = new Client({ url: 'http://127.0.0.1:1', key: 'none', fetch, attempts: answers.length });
  const outcomes = await client.workspace('ws_1').bulk(calls);
  return outcomes.map((outcome) => (outcome.ok ? null : outcome.error));
}

it.each([
  ['request', refusal('rate_limited'), 'rate_limited'],
  ['request', refusal('forbidden'), 'forbidden'],
  ['call', answer('invalid_params'), 'invalid_params'],
] as const)('says after a refused request why the %s is refused', async (_, next, code) => {
  const errors = await errorsAfter(refusal('rate_limited'), next);
  expect(errors).toMatchObject([
    { code, idempotencyKey: 'one' },
    { code, idempotencyKey: 'two' },
  ]);
});

it('does not call refused what an earlier request may have done', async () => {
  for (const answers of [
    [lost, refusal('rate_limited'), refusal('forbidden')],
    [refusal('rate_limited'), lost, answer('invalid_params')],
    [proxyTimeout, refusal('rate_limited'), refusal('forbidden')],
    [answer('internal'), refusal('forbidden')],
  ]) {
    const errors = await errorsAfter(...answers);
    expect(errors).toEqual([expect.any(NoAnswerError), expect.any(NoAnswerError)]);
  }
});

/** A workspace whose requests are answered like this, one after another, and what each request sends. */
function workspaceOf(...answers: (() => Response)[]) {
  const sent: string[][] = [];
  const fetch: typeof globalThis.fetch = async (_, init) => {
    const body = JSON.parse(String(init?.body)) as { calls: { idempotencyKey: string }[] };
    sent.push(body.calls.map(({ idempotencyKey }) => idempotencyKey));
    return (answers[sent.length - 1] ?? lost)();
  };
  return { sent, workspace: new Client({ url: 'http://127.0.0.1:1', key: 'none', fetch }).workspace('ws_1') };
}

const done = { status: 200, body: { result: {}, txid: 1 } };

it('waits as long as the API asks before it repeats what an earlier request may have done', async () => {
  const problem = new Problem('rate_limited', { headers: { 'retry-after': '1' } });
  const busy = { status: 429, body: JSON.parse(JSON.stringify(problem)) };
  const { sent, workspace } = workspaceOf(
    lost,
    () => Response.json({ results: [done, busy] }),
    () => Response.json({ results: [done] }),
  );
  expect(await workspace.bulk(calls)).toMatchObject([{ ok: true }, { ok: true }]);
  expect(sent).toEqual([['one', 'two'], ['one', 'two'], ['two']]);
});

it('waits no longer for a call because another one was repeated meanwhile', async () => {
  const busyFor = (seconds: number) => {
    const problem = new Problem('rate_limited', { headers: { 'retry-after': String(seconds) } });
    return { status: 429, body: JSON.parse(JSON.stringify(problem)) };
  };
  const { sent, workspace } = workspaceOf(
    () => Response.json({ results: [busyFor(1), busyFor(2)] }),
    () => Response.json({ results: [done] }),
    () => Response.json({ results: [done] }),
  );
  const outcomes = await workspace.bulk(calls, { timeoutMs: 2_900 });
  expect(outcomes).toMatchObject([{ ok: true }, { ok: true }]);
  expect(sent).toEqual([['one', 'two'], ['one'], ['two']]);
});

it('says of each call how often it was sent', async () => {
  const busy = { status: 503, body: bodyOf('overloaded') };
  const wrong = { status: 400, body: bodyOf('invalid_params') };
  const { workspace } = workspaceOf(
    () => Response.json({ results: [busy, busy] }),
    () => Response.json({ results: [busy, wrong] }),
    () => Response.json({ results: [busy] }),
  );
  expect(await workspace.bulk(calls, { attempts: 3 })).toMatchObject([
    { error: { code: 'overloaded', attempts: 3 } },
    { error: { code: 'invalid_params', attempts: 2 } },
  ]);
});

it('does not repeat what is refused for good, though an earlier request may have done it', async () => {
  const { sent, workspace } = workspaceOf(lost, answer('invalid_params'));
  const outcomes = await workspace.bulk(calls);
  expect(outcomes.map((outcome) => outcome.ok || outcome.error)).toEqual([
    expect.any(NoAnswerError),
    expect.any(NoAnswerError),
  ]);
  expect(sent).toHaveLength(2);
});

it('does not take a call that is given twice for one that was sent before', async () => {
  const call = calls[0] as PreparedCall;
  const { workspace } = workspaceOf(answer('invalid_params'));
  const refused = { ok: false, error: { code: 'invalid_params', attempts: 1 } };
  expect(await workspace.bulk([call, call])).toMatchObject([refused, refused]);
});

/** A workspace that takes what the API takes, and what each request sends. */
function workspaceOfBytes() {
  const sent: number[] = [];
  const fetch: typeof globalThis.fetch = async (_, init) => {
    const text = String(init?.body);
    const { calls } = JSON.parse(text) as { calls: object[] };
    sent.push(calls.length);
    if (Buffer.byteLength(text) > 1024 * 1024) return refusal('body_too_large')();
    return Response.json({ results: calls.map(() => done) });
  };
  return { sent, workspace: new Client({ url: 'http://127.0.0.1:1', key: 'none', fetch }).workspace('ws_1') };
}

const ofBytes = (bytes: number, params: object = {}): PreparedCall => {
  const call = { ...(calls[0] as PreparedCall), params: { text: '' } };
  const { workspaceId: _, ...body } = call;
  return { ...call, params: { ...params, text: 'x'.repeat(bytes - JSON.stringify(body).length) } };
};

it('puts no more into a request than its body may have', async () => {
  const { sent, workspace } = workspaceOfBytes();
  const half = (1024 * 1024 - '{"calls":[]}'.length) / 2 - 1;
  const large = [half, half, half + 2, half, 100].map((bytes) => ofBytes(bytes));
  for (const outcome of await workspace.bulk(large)) expect(outcome).toMatchObject({ ok: true });
  expect(sent).toEqual([2, 1, 2]);
});

it('puts no more values into a request than its body may have', async () => {
  const sizes: number[] = [];
  const fetch: typeof globalThis.fetch = async (_, init) => {
    const { calls } = parseJson(String(init?.body), CALL_VALUES_MAX) as { calls: object[] };
    sizes.push(calls.length);
    return Response.json({ results: calls.map(() => done) });
  };
  const workspace = new Client({ url: 'http://127.0.0.1:1', key: 'none', fetch }).workspace('ws_1');
  const id = Array.from({ length: 500 }, (_, index) => index);
  const many = Array.from({ length: 100 }, () => ({ ...(calls[0] as PreparedCall), params: { id } }));
  for (const outcome of await workspace.bulk(many)) expect(outcome).toMatchObject({ ok: true });
  expect(sizes).toEqual([64, 36]);
});

it('has only the call refused that is too large for any request', async () => {
  const { workspace } = workspaceOfBytes();
  const outcomes = await workspace.bulk([ofBytes(200), ofBytes(2 * 1024 * 1024), ofBytes(200)]);
  expect(outcomes.map(({ ok }) => ok)).toEqual([true, false, true]);
});

it('sends nothing if a call cannot be written as JSON', async () => {
  const { sent, workspace } = workspaceOfBytes();
  const many = Array.from({ length: 150 }, (_, at) => ofBytes(200, at === 149 ? { id: 1n } : {}));
  await expect(workspace.bulk(many)).rejects.toThrow(TypeError);
  expect(sent).toEqual([]);
});

it.each([
  ['no body', () => new Response(null)],
  ['null', () => Response.json(null)],
  ['no results', () => Response.json({ ok: true })],
  ['too few results', () => Response.json({ results: [done] })],
  ['a list', () => Response.json([])],
  ['results that are none', () => Response.json({ results: [null, 'done'] })],
  ['a result without a body', () => Response.json({ results: [done, { status: 200, body: null }] })],
  ['a problem without a code', () => Response.json({ results: [done, { status: 500, body: {} }] })],
])('an answer with %s is none', async (_, strange) => {
  const errors = await errorsAfter(strange);
  expect(errors).toMatchObject([
    { name: 'NoAnswerError', idempotencyKey: 'one' },
    { name: 'NoAnswerError', idempotencyKey: 'two' },
  ]);
  const { workspace, sent } = workspaceOf(strange, () => Response.json({ results: [done, done] }));
  expect(await workspace.bulk(calls)).toMatchObject([{ ok: true }, { ok: true }]);
  expect(sent).toHaveLength(2);
});

it.each([() => new Response(null), () => Response.json(null), () => Response.json('done')])(
  'so is an answer without an object to one call, which is tried again',
  async (strange) => {
    const client = new Client({ url: 'http://127.0.0.1:1', key: 'none', fetch: async () => strange() });
    const options = { idempotencyKey: 'one', attempts: 2 };
    const called = client.workspace('ws_1').account('acc_1').help.getSupport({}, options);
    await expect(called).rejects.toMatchObject({ name: 'NoAnswerError', idempotencyKey: 'one', attempts: 2 });
  },
);
