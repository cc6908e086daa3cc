import { expect, test } from 'vitest';
import { Client } from '../../../src/client/client.ts';
import { NoAnswerError } from '../../../src/client/errors.ts';
import { readProblem } from '../../../src/client/http/read-problem.ts';

function clientOf(answer: () => Response): Client {
  return new Client({ url: 'http://127.0.0.1:1', key: 'none', fetch: async () => answer() });
}

test.each([
  ['an object', () => Response.json({ login: 'https://portal.example' })],
  ['nothing', () => new Response(null, { status: 204 })],
])('a call that gets %s, which is no answer of the API, says so and has its key', async (_name, answer) => {
  const account = clientOf(answer).account('ws_1', 'acc_1');
  const options = { idempotencyKey: 'own' };
  for (const call of [
    account.help.getSupport({}, options),
    account.async.help.getSupport({}, options),
  ] as Promise<unknown>[]) {
    const error = await call.catch((failure) => failure);
    expect(error).toBeInstanceOf(NoAnswerError);
    expect(error).toMatchObject({
      idempotencyKey: 'own',
      message: expect.stringContaining('not an answer of the API'),
    });
  }
});

test('a reader of new updates whose answer lacks the end of the stream is not shown all that is kept', async () => {
  const workspace = clientOf(() => Response.json([])).workspace('ws_1');
  const failure = expect.objectContaining({ message: expect.stringContaining('Stream-Next-Offset') });
  await expect(workspace.offset()).rejects.toEqual(failure);
  await expect(workspace.updates().next()).rejects.toEqual(failure);
});

test('a page in place of the stream of updates is none: it is asked for again, as often as may be', async () => {
  const page = () => new Response('<html>', { headers: { 'content-type': 'text/html; charset=utf-8' } });
  const workspace = clientOf(page).workspace('ws_1');
  const failure = { name: 'NoAnswerError', message: expect.stringContaining('not an answer of the API') };
  await expect(workspace.updates({ offset: '-1', attempts: 2 }).next()).rejects.toMatchObject({
    ...failure,
    attempts: 2,
  });
});

test.each([
  { login: 'https://portal.example' },
  { status: 'ok', error: null, data: [] },
  { status: 'failed', error: 'log in', data: null, cursors: {} },
  null,
])('a list or an async call that gets %j, which is no answer of the API, says so', async (foreign) => {
  const client = clientOf(() =>
    foreign === null ? new Response(null, { status: 204 }) : Response.json(foreign),
  );
  for (const asked of [
    client.list('workspaces').next(),
    client.deliveries('wh_1').next(),
    client.asyncCall('call_1').status(),
    client.asyncCall('call_1').outcome(),
  ] as Promise<unknown>[]) {
    const error = await asked.catch((failure) => failure);
    expect(error).toBeInstanceOf(NoAnswerError);
    expect(error).toMatchObject({ message: expect.stringContaining('not an answer of the API') });
  }
});

test('a redirect is told as such also in a browser, which does not show where it leads to', () => {
  const hidden = { ok: false, status: 0, type: 'opaqueredirect', headers: new Headers() } as Response;
  expect(readProblem(hidden, '').message).toMatch(/redirect: give the address that the API has there/);
});
