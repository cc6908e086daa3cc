import { expect, it } from 'vitest';
import { BulkPart } from '../../../src/client/calls/bulk-part.ts';
import type { PreparedCall } from '../../../src/client/calls/call-answer.ts';
import { Problem } from '../../../src/problem.ts';

const calls = ['one', 'two'].map(
  (idempotencyKey): PreparedCall => ({
    ...{ workspaceId: 'ws_1', accountId: 'acc_1', method: 'help.getConfig', params: {} },
    idempotencyKey,
  }),
);

const show = (body: unknown) => ('result' in (body as object) ? (body as object) : null);

it('says of a key of another kind of call that it is used, and gives the other answers', () => {
  const part = new BulkPart(calls, show);
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
  const part = new BulkPart(calls, show);
  const problem = new Problem('rate_limited', { headers: { 'retry-after': '60' } });
  const body = JSON.parse(JSON.stringify(problem));
  expect(body.retryAfter).toBe(60);
  const done = { status: 200, body: { result: {}, txid: 1 } };
  expect(() => part.record(part.take(), [{ status: 429, body }, done])).toThrow(
    expect.objectContaining({ retryAfterMs: 60_000 }),
  );
  expect(part.take()).toEqual([]);
});
