import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { SMALL_PER_TURN, smallBulks } from '../../../src/api/calls/bulk-turns.ts';
import { largeBodies } from '../../../src/api/server/paced-tasks.ts';
import type { CallRequest } from '../../../src/queue/submit/pending-call.ts';
import { type ApiAnswer, TestApi } from '../../support/api/api.ts';
import { eventually } from '../../support/eventually.ts';
import { RawConnection } from '../../support/http/raw-connection.ts';

const BULKS = 20;
const MiB = 1024 * 1024;

let api: TestApi;
let path: string;
let tenant: { workspaceId: string; accountId: string };
/** Ends the calls that are not answered yet. */
let endCalls: (() => void)[] = [];

const done = { status: 200, offset: null, headers: {}, body: '{"result":{},"txid":1}' };
const peer = { _: 'inputPeerSelf' };

beforeAll(async () => {
  api = await TestApi.start({ ANSWER_BYTES_IN_FLIGHT_MAX: String(4 * MiB) });
  tenant = await api.aTenant();
  path = `/workspaces/${tenant.workspaceId}/calls`;
});
afterEach(() => {
  vi.restoreAllMocks();
  for (const end of endCalls) end();
  endCalls = [];
});
afterAll(() => api.stop());

const aCall = (params: object, method = 'messages.sendMessage') => ({
  ...{ accountId: tenant.accountId, method, params },
});

/** Some 3 KB of errors, as a call of 200 bytes gets. */
const refused = () => aCall({ peer: { ...peer, userId: 'x' }, message: 5, entities: Array(22).fill(0) });

/** Notes how many calls are submitted in each turn of the event loop while it does something. */
async function countTurns(act: () => Promise<unknown>): Promise<number[]> {
  const turns: number[] = [];
  let inTurn = 0;
  let isOver = false;
  vi.spyOn(api.deps.calls, 'submit').mockImplementation(async () => {
    inTurn += 1;
    return done;
  });
  const tick = () => {
    if (inTurn > 0) turns.push(inTurn);
    inTurn = 0;
    if (!isOver) setImmediate(tick);
  };
  setImmediate(tick);
  await act();
  isOver = true;
  return [...turns, inTurn];
}

/** Holds back look-ups of accounts until so many calls wait for them. */
function holdLookUps(count: number): void {
  const { accounts } = api.deps.directory;
  const find = accounts.find.bind(accounts);
  const waiting: (() => void)[] = [];
  const all = new Promise<void>((resolve) => {
    vi.spyOn(accounts, 'peek').mockReturnValue(undefined);
    vi.spyOn(accounts, 'find').mockImplementation(async (...names) => {
      const found = await find(...names);
      waiting.push(() => undefined);
      if (waiting.length >= count) resolve();
      await all;
      return found;
    });
  });
}

const sendBulks = async (calls: object[]) => {
  const answers = await Promise.all(Array.from({ length: BULKS }, () => api.ok('POST', path, { calls })));
  for (const { results } of answers)
    expect(results.map(({ status }: { status: number }) => status)).toEqual(Array(calls.length).fill(200));
};

test.each([2, 20, 100])('of small bulks with %i calls few calls are checked in one turn', async (count) => {
  const turns = await countTurns(() => sendBulks(Array(count).fill(aCall({ peer, message: 'x' }))));
  expect(turns.reduce((sum, calls) => sum + calls)).toBe(BULKS * count);
  expect(Math.max(...turns)).toBeLessThan(2 * SMALL_PER_TURN);
});

test('nor are all that waited for the same look-up of an account', async () => {
  holdLookUps(BULKS * 20);
  const turns = await countTurns(() => sendBulks(Array(20).fill(aCall({ peer, message: 'x' }))));
  expect(turns.reduce((sum, calls) => sum + calls)).toBe(BULKS * 20);
  expect(Math.max(...turns)).toBeLessThanOrEqual(SMALL_PER_TURN);
});

test('of large bulks one call is checked in a turn behind such a look-up', async () => {
  holdLookUps(BULKS * 20);
  const turns = await countTurns(() =>
    sendBulks(Array(20).fill(aCall({ peer, message: 'x'.repeat(4_000) }))),
  );
  expect(turns.reduce((sum, calls) => sum + calls)).toBe(BULKS * 20);
  expect(Math.max(...turns)).toBe(1);
});

test.each([1, 20])('and so it is of those with %i calls that are only validated', async (count) => {
  holdLookUps(BULKS * count);
  const [turns, smallTurns] = [vi.spyOn(largeBodies, 'next'), vi.spyOn(smallBulks, 'next')];
  const calls = Array(count).fill(aCall({ peer, message: 'x' }));
  await Promise.all(Array.from({ length: BULKS }, () => api.ok('POST', `${path}?validate=only`, { calls })));
  // Those before the look-up, of eight calls each, come in addition.
  expect(turns.mock.calls.length).toBe(BULKS * (count + Math.ceil(count / 8)));
  expect(smallTurns).not.toHaveBeenCalled();
});

interface NotedAnswer {
  port: number | undefined;
  response: ServerResponse;
}

/** The answers of the API from now on, until the end of the test; of each, which connection it is for. */
function noteAnswers(): NotedAnswer[] {
  const noted: NotedAnswer[] = [];
  const note = (_request: unknown, response: ServerResponse) =>
    noted.push({ port: response.socket?.remotePort ?? response.req.socket.remotePort, response });
  api.app.server.on('request', note);
  onTestFinished(() => void api.app.server.off('request', note));
  return noted;
}

/** More than there is room for beside what the others have left. */
const sendThree = (calls: object[]) => Promise.all([1, 2, 3].map(() => api.request('POST', path, { calls })));

/** A connection on which the answers to some bulks wait behind that of a call. */
async function openUnread(bulks: object[], query = ''): Promise<RawConnection> {
  vi.spyOn(api.deps.calls, 'submit').mockImplementation(({ method }: CallRequest) =>
    method === 'help.getSupport'
      ? new Promise((resolve) => endCalls.push(() => resolve(done)))
      : Promise.resolve(done),
  );
  const lines = ['host: x', `authorization: Bearer ${api.rootKey}`, 'content-type: application/json'];
  const text = (url: string, body: string) =>
    `${[`POST ${url} HTTP/1.1`, ...lines, `content-length: ${body.length}`].join('\r\n')}\r\n\r\n${body}`;
  const first = `/workspaces/${tenant.workspaceId}/messenger-accounts/${tenant.accountId}/call/help.getSupport`;
  const connection = await RawConnection.open(api.url);
  const texts = bulks.map((calls) => text(`${path}${query}`, JSON.stringify({ calls })));
  return connection.send(text(first, '{"params":{}}') + texts.join(''));
}

/** Closes a connection, and waits until what its answers held is free: bulks of the next test would be refused for it. */
async function closeAndRelease(connection: RawConnection, noted: NotedAnswer[]): Promise<void> {
  connection.close();
  await eventually(() => noted.every(({ response }) => response.destroyed));
}

test.each(['', '?validate=only'])(
  'answers to bulks%s of refused calls count as unread: one without room is refused',
  async (query) => {
    const noted = noteAnswers();
    const connection = await openUnread(Array(12).fill(Array(100).fill(refused())), query);
    await eventually(async () => {
      const answers = await sendThree(Array(100).fill(refused()));
      return answers.some(({ status, body }) => status === 503 && body.code === 'overloaded');
    });
    // All twelve are decided: one that is looked at later would find room again.
    const { localPort } = connection.socket;
    const isDecided = () => noted.filter(({ port, response }) => port === localPort && response.headersSent);
    await eventually(() => isDecided().length === 12);
    for (const end of endCalls) end();
    const answers = await connection.answers(13);
    await closeAndRelease(connection, noted);
    const sizes = answers.slice(1).flatMap(({ status, body }) => (status === 200 ? [body.length] : []));
    const sum = sizes.reduce((total, size) => total + size, 0);
    // Half of what may be in flight, as of an organization without others.
    expect(sizes.length).toBeGreaterThan(2);
    expect(sum).toBeLessThan(2.2 * MiB);
    // None lacks some of its errors for that.
    expect(new Set(sizes).size).toBe(1);
  },
);

test('where calls of such a bulk were made, these are answered, and the others are overloaded', async () => {
  const connection = await openUnread(Array(12).fill(Array(100).fill(refused())));
  const calls = [aCall({ peer, message: 'x' }), ...Array(99).fill(refused())];
  await eventually(async () => {
    const answers = await sendThree(calls);
    return answers.some(({ body: { results } }) => {
      const codes = results.map(({ status, body }: ApiAnswer) => body.code ?? status);
      return codes[0] === 200 && codes.slice(1).every((code: unknown) => code === 'overloaded');
    });
  });
  // Requests that wait on it for their turn are dropped, and not answered.
  connection.close();
});
