import { expect, it } from 'vitest';
import { Client } from '../../../src/client/client.ts';
import { NoAnswerError } from '../../../src/client/errors.ts';
import { Problem } from '../../../src/problem.ts';
import type { ProblemCode } from '../../../src/problem-table.ts';

type Sent = { accounts: { name: string; idempotencyKey: string }[]; ids: string[] };
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

const connected: Answer = ({ accounts }) =>
  Response.json({ results: accounts.map(({ name }) => ({ status: 201, body: { name } })) });

const deleted: Answer = ({ ids }) => Response.json({ results: ids.map(() => ({ status: 204, body: null })) });

const missing: Answer = ({ ids }) =>
  Response.json({ results: ids.map(() => ({ status: 404, body: bodyOf('not_found') })) });

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
      keys.push(...sent.accounts.map(({ idempotencyKey }) => idempotencyKey));
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
