import { expect, it } from 'vitest';
import { Client } from '../../../src/client/client.ts';
import { NoAnswerError } from '../../../src/client/errors.ts';
import { Problem } from '../../../src/problem.ts';
import type { ProblemCode } from '../../../src/problem-table.ts';

type Sent = { accounts?: { name: string; idempotencyKey: string }[]; ids?: string[] };
type Answer = (sent: Sent) => Response;

/** A client whose requests are answered like this, one after another. */
function clientOf(...answers: Answer[]): Client {
  let requests = 0;
  const fetch: typeof globalThis.fetch = async (_, init) => {
    requests += 1;
    return (answers[requests - 1] as Answer)(JSON.parse(String(init?.body)));
  };
  return new Client({ url: 'http://127.0.0.1:1', key: 'none', fetch });
}

const bodyOf = (code: ProblemCode) => JSON.parse(JSON.stringify(new Problem(code)));

const lost = () => {
  throw new TypeError('the answer is lost');
};

const refusal = (code: ProblemCode) => () =>
  Response.json(bodyOf(code), { status: new Problem(code).status });

const connected: Answer = ({ accounts = [] }) =>
  Response.json({ results: accounts.map(({ name }) => ({ status: 201, body: { name } })) });

const deleted: Answer = ({ ids = [] }) =>
  Response.json({ results: ids.map(() => ({ status: 204, body: null })) });

const missing: Answer = ({ ids = [] }) =>
  Response.json({ results: ids.map(() => ({ status: 404, body: bodyOf('not_found') })) });

const retryIn = (seconds: number) =>
  JSON.parse(JSON.stringify(new Problem('overloaded', { headers: { 'retry-after': String(seconds) } })));

/** The same answer for each account, and another one for those of some names or ids. */
const except =
  (others: readonly string[], status: number, body: object | null): Answer =>
  ({ accounts = [], ids = accounts.map(({ name }) => name) }) =>
    Response.json({
      results: ids.map((id) =>
        others.includes(id)
          ? { status, body }
          : { status: accounts.length > 0 ? 201 : 204, body: { name: id } },
      ),
    });

const names = Array.from({ length: 150 }, (_, at) => `account ${at}`);
const accounts = names.map((name) => ({ name, idempotencyKey: `key of ${name}` }));

it('an error of a request is the outcome of the accounts that it would connect, each with its key', async () => {
  const outcomes = await clientOf(connected, refusal('forbidden')).workspace('ws_1').createAccounts(accounts);
  expect(outcomes).toMatchObject(
    accounts.map(({ name, idempotencyKey }, at) =>
      at < 100
        ? { ok: true, account: { name } }
        : { ok: false, error: { code: 'forbidden', idempotencyKey, attempts: 1 } },
    ),
  );
});

it('accounts that a request without an answer may have connected are not called refused', async () => {
  const workspace = clientOf(lost, refusal('unauthorized')).workspace('ws_1');
  const [outcome] = await workspace.createAccounts(accounts.slice(0, 1));
  expect(outcome).toMatchObject({ ok: false, error: { idempotencyKey: 'key of account 0', attempts: 2 } });
  expect(outcome).toHaveProperty('error', expect.any(NoAnswerError));
});

it('an account whose key is undefined is connected under one key, however often it is asked for', async () => {
  const keys: unknown[] = [];
  const noting =
    (next: Answer): Answer =>
    (sent) => {
      keys.push(...(sent.accounts ?? []).map(({ idempotencyKey }) => idempotencyKey));
      return next(sent);
    };
  const workspace = clientOf(noting(lost), noting(connected)).workspace('ws_1');
  expect(await workspace.createAccounts([{ name: 'Ada', idempotencyKey: undefined }])).toMatchObject([
    { ok: true },
  ]);
  expect(keys).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), keys[0]]);
});

it('an error of a request is the outcome of the accounts that it would delete', async () => {
  const outcomes = await clientOf(deleted, refusal('forbidden')).deleteAccounts(names);
  expect(outcomes).toMatchObject(
    names.map((id, at) => (at < 100 ? { ok: true, id } : { ok: false, id, error: { code: 'forbidden' } })),
  );
});

it('an account that a request without an answer may have deleted is deleted if it is not there', async () => {
  expect(await clientOf(lost, missing).deleteAccounts(['acc_1'])).toEqual([{ ok: true, id: 'acc_1' }]);
  const timedOut = () => new Response('<html>Gateway Time-out</html>', { status: 504 });
  expect(await clientOf(timedOut, missing).deleteAccounts(['acc_1'])).toEqual([{ ok: true, id: 'acc_1' }]);
  const lostRedis = refusal('unavailable');
  expect(await clientOf(lostRedis, missing).deleteAccounts(['acc_1'])).toEqual([{ ok: true, id: 'acc_1' }]);
  const busy = refusal('overloaded');
  expect(await clientOf(lost, busy, missing).deleteAccounts(['acc_1'])).toEqual([{ ok: true, id: 'acc_1' }]);
  expect(await clientOf(busy, missing).deleteAccounts(['acc_1'])).toMatchObject([
    { ok: false, id: 'acc_1', error: { code: 'not_found' } },
  ]);
});

/** An answer that also notes which accounts it is asked for. */
function noting(asked: string[][], answer: Answer): Answer {
  return (sent) => {
    asked.push(sent.ids ?? (sent.accounts ?? []).map(({ idempotencyKey }) => idempotencyKey));
    return answer(sent);
  };
}

it('only the accounts whose problem may pass are connected again, and each outcome stays in its place', async () => {
  const asked: string[][] = [];
  const three = accounts.slice(0, 3);
  const busy = noting(asked, except(['account 1'], 503, bodyOf('overloaded')));
  const outcomes = await clientOf(busy, noting(asked, connected)).workspace('ws_1').createAccounts(three);
  expect(outcomes).toEqual(three.map(({ name }) => ({ ok: true, account: { name } })));
  expect(asked).toEqual([three.map(({ idempotencyKey }) => idempotencyKey), ['key of account 1']]);
});

it('only the accounts whose problem may pass are deleted again, no sooner than the API asks', async () => {
  const asked: string[][] = [];
  const startedAt = performance.now();
  const busy = noting(asked, except(['acc_2'], 503, retryIn(1)));
  const outcomes = await clientOf(busy, noting(asked, deleted)).deleteAccounts(['acc_1', 'acc_2', 'acc_3']);
  expect(outcomes).toEqual(['acc_1', 'acc_2', 'acc_3'].map((id) => ({ ok: true, id })));
  expect(asked).toEqual([['acc_1', 'acc_2', 'acc_3'], ['acc_2']]);
  expect(performance.now() - startedAt).toBeGreaterThan(990);
});

it('an account is tried as often as the limit allows, and one that is refused for good once', async () => {
  const busy = except(['account 0'], 503, bodyOf('overloaded'));
  const [first, second] = await clientOf(busy, busy, busy)
    .workspace('ws_1')
    .createAccounts(accounts.slice(0, 2), { attempts: 3 });
  const failed = { code: 'overloaded', attempts: 3, idempotencyKey: 'key of account 0' };
  expect([first, second]).toMatchObject([{ ok: false, error: failed }, { ok: true }]);
  const gone = except(['acc_1'], 404, bodyOf('not_found'));
  expect(await clientOf(gone).deleteAccounts(['acc_1', 'acc_2'])).toMatchObject([
    { ok: false, id: 'acc_1', error: { code: 'not_found', attempts: 1 } },
    { ok: true, id: 'acc_2' },
  ]);
});

it('an account that its own answer leaves in doubt is deleted if it is not there', async () => {
  const lostRedis = except(['acc_1'], 503, bodyOf('unavailable'));
  expect(await clientOf(lostRedis, missing).deleteAccounts(['acc_1', 'acc_2'])).toEqual([
    { ok: true, id: 'acc_1' },
    { ok: true, id: 'acc_2' },
  ]);
});

it('why an account is not connected holds for a request without an answer too', async () => {
  const full = except(['account 0'], 409, bodyOf('conflict'));
  const workspace = clientOf(lost, full).workspace('ws_1');
  expect(await workspace.createAccounts(accounts.slice(0, 2))).toMatchObject([
    { ok: false, error: { code: 'conflict', attempts: 2 } },
    { ok: true },
  ]);
});
