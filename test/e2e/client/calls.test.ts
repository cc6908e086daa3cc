import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  Client,
  type Account as ClientAccount,
  isApiError,
  NoAnswerError,
} from '../../../src/client/index.ts';
import { accountOf, clientOf, peerOf } from '../../support/service/client.ts';
import { type Account, Service } from '../../support/service/service.ts';

let service: Service;
let client: Client;
let ada: Account;
let bob: Account;
let account: ClientAccount;

beforeAll(async () => {
  service = await Service.start();
  const { id } = await service.aWorkspace();
  [ada, bob] = await Promise.all([service.anAccount(id), service.anAccount(id)]);
  client = clientOf(service);
  account = accountOf(client, ada);
});

afterAll(() => service.stop());

/** How often a message has arrived. */
async function arrived(text: string): Promise<number> {
  const updates = await service.updates(ada.workspaceId, '-1', `messengerAccountId=${bob.id}`);
  return updates.filter(({ update }) => update.message?.message === text).length;
}

async function failing(faults: object[]): Promise<void> {
  await service.ok('PUT', `/v1/messenger-accounts/${ada.id}/sandbox/faults`, { faults });
}

/** A client whose requests fail as `fail` says; it is given the number of the request. */
function faulty(fail: (count: number, send: () => Promise<Response>) => Promise<Response>): {
  account: ClientAccount;
  count(): number;
} {
  let count = 0;
  const faultyFetch: typeof fetch = (...args) => {
    count += 1;
    return fail(count, () => fetch(...args));
  };
  const { url, rootKey: key } = service;
  return { account: accountOf(new Client({ url, key, fetch: faultyFetch }), ada), count: () => count };
}

describe('a call', () => {
  it('gives the result and the txid', async () => {
    const sent = await account.messages.sendMessage({ peer: peerOf(bob), message: 'a call' });
    expect(sent.result._).toBe('updateShortSentMessage');
    expect(sent.txid).toBeGreaterThan(0);
    expect(await arrived('a call')).toBe(1);
    const read = await account.messages.readMessageContents({ id: [1] });
    expect(read.result).toMatchObject({ _: 'messages.affectedMessages' });
    expect((await account.help.getSupport()).result._).toBe('help.support');
  });

  it('that is refused gives the problem, at once', async () => {
    const { account: counted, count } = faulty((_, send) => send());
    const call = counted.messages.sendMessage(
      { peer: peerOf(bob), message: '' },
      { idempotencyKey: 'no text' },
    );
    const error = await call.catch((caught) => caught);
    if (!isApiError(error, 'messages.sendMessage')) throw error;
    expect(error).toMatchObject({
      code: 'MESSAGE_EMPTY',
      status: 400,
      attempts: 1,
      idempotencyKey: 'no text',
    });
    expect(count()).toBe(1);
    const wrong = counted.messages.readMessageContents({ id: ['1' as never] });
    await expect(wrong).rejects.toThrow('/params/id/0');
  });

  it('is repeated with its key if the connection is cut, and takes effect once', async () => {
    const { account: cut, count } = faulty(async (request, send) => {
      const response = await send();
      if (request < 3) throw new TypeError('the answer is lost');
      return response;
    });
    await cut.messages.sendMessage({ peer: peerOf(bob), message: 'cut' });
    expect(count()).toBe(3);
    expect(await arrived('cut')).toBe(1);
  });

  it('is repeated if the messenger cuts off the answer', async () => {
    await failing([{ method: 'messages.sendMessage', count: 2, disconnect: true }]);
    await account.messages.sendMessage({ peer: peerOf(bob), message: 'disconnected' });
    expect(await arrived('disconnected')).toBe(1);
  });

  it.each([502, 503, 504])('is repeated after a %d, not before Retry-After', async (status) => {
    const times: number[] = [];
    const { account: refused } = faulty(async (count, send) => {
      times.push(performance.now());
      if (count > 1) return send();
      return new Response('<html>', { status, headers: { 'retry-after': '1' } });
    });
    await refused.messages.sendMessage({ peer: peerOf(bob), message: `after ${status}` });
    // Timers count whole milliseconds.
    expect((times[1] as number) - (times[0] as number)).toBeGreaterThan(998);
    expect(await arrived(`after ${status}`)).toBe(1);
  });

  it('is repeated after outcome_unknown and gives what became of it', async () => {
    const { account: unsure, count } = faulty(async (request, send) => {
      const response = await send();
      if (request > 1) return response;
      const problem = {
        type: 'about:blank',
        title: '',
        status: 502,
        code: 'outcome_unknown',
        retryable: false,
      };
      return Response.json(problem, { status: 502 });
    });
    await unsure.messages.sendMessage({ peer: peerOf(bob), message: 'unsure' });
    expect([count(), await arrived('unsure')]).toEqual([2, 1]);
  });

  it('waits as long as the messenger asks, unless that is too long', async () => {
    await failing([{ method: 'messages.sendMessage', count: 1, error: 'FLOOD_WAIT_1' }]);
    await account.messages.sendMessage({ peer: peerOf(bob), message: 'after the flood' });
    await failing([{ method: 'messages.sendMessage', count: 1, error: 'FLOOD_WAIT_3600' }]);
    const call = account.messages.sendMessage({ peer: peerOf(bob), message: 'never' });
    await expect(call).rejects.toMatchObject({ code: 'FLOOD_WAIT', retryAfterMs: 3_600_000, attempts: 1 });
    expect(await arrived('never')).toBe(0);
  });

  it('ends after its attempts, its time, or when it is aborted', async () => {
    const lost = () => Promise.reject(new TypeError('no connection'));
    const few = await faulty(lost)
      .account.help.getSupport({}, { attempts: 2, idempotencyKey: 'few' })
      .catch((error) => error);
    expect(few).toBeInstanceOf(NoAnswerError);
    expect(few).toMatchObject({ attempts: 2, idempotencyKey: 'few' });
    await expect(faulty(lost).account.help.getSupport({}, { timeoutMs: 300 })).rejects.toThrow(NoAnswerError);
    const hanging = faulty(() => new Promise(() => undefined)).account;
    const abort = new AbortController();
    const call = hanging.help.getSupport({}, { signal: abort.signal });
    abort.abort(new Error('not needed any more'));
    await expect(call).rejects.toThrow('not needed any more');
  });
});

describe('a bulk', () => {
  it('gives the answers in their places, and more than a hundred', async () => {
    const texts = Array.from({ length: 150 }, (_, index) => `bulk ${index}`);
    const calls = texts.map((message) =>
      account.prepare.messages.sendMessage({ peer: peerOf(bob), message }),
    );
    const sent = await client.workspace(ada.workspaceId).bulk(calls);
    expect(sent.filter(({ ok }) => ok)).toHaveLength(150);
    const [read, refused] = await client
      .workspace(ada.workspaceId)
      .bulk([
        account.prepare.messages.readMessageContents({ id: [1] }),
        account.prepare.messages.sendMessage(
          { peer: peerOf(bob), message: '' },
          { idempotencyKey: 'no text 2' },
        ),
      ]);
    expect(read).toMatchObject({ ok: true, result: { _: 'messages.affectedMessages' } });
    expect(refused).toMatchObject({
      ok: false,
      error: { code: 'MESSAGE_EMPTY', idempotencyKey: 'no text 2' },
    });
    for (const text of ['bulk 0', 'bulk 149']) expect(await arrived(text)).toBe(1);
  });

  it('repeats only what may pass, and takes effect once', async () => {
    await failing([{ method: 'messages.sendMessage', count: 3, error: 'INTERNAL' }]);
    const { url, rootKey: key } = service;
    const sizes: number[] = [];
    const counting: typeof fetch = async (input, init) => {
      sizes.push(JSON.parse(String(init?.body)).calls.length);
      const response = await fetch(input, init);
      if (sizes.length === 1) throw new TypeError('the answer is lost');
      return response;
    };
    const workspace = new Client({ url, key, fetch: counting }).workspace(ada.workspaceId);
    const texts = Array.from({ length: 10 }, (_, index) => `passing ${index}`);
    const outcomes = await workspace.bulk(
      texts.map((message) => account.prepare.messages.sendMessage({ peer: peerOf(bob), message })),
    );
    expect(outcomes.filter(({ ok }) => !ok)).toEqual([]);
    expect(sizes.slice(0, 2)).toEqual([10, 10]);
    for (const text of texts) expect(await arrived(text)).toBe(1);
  });

  it('whose requests fail gives each call an error with its own key', async () => {
    const { url } = service;
    const stranger = new Client({ url, key: 'sb_wrong' }).workspace(ada.workspaceId);
    const calls = ['a', 'b'].map((idempotencyKey) =>
      account.prepare.messages.readMessageContents({ id: [1] }, { idempotencyKey }),
    );
    expect(await stranger.bulk(calls)).toMatchObject([
      { ok: false, error: { code: 'unauthorized', idempotencyKey: 'a' } },
      { ok: false, error: { code: 'unauthorized', idempotencyKey: 'b' } },
    ]);
  });
});

describe('an async call', () => {
  it('gives its outcome once it has ended', async () => {
    const call = await account.async.messages.sendMessage({ peer: peerOf(bob), message: 'later' });
    const { result, txid } = await call.outcome();
    expect(result._).toBe('updateShortSentMessage');
    expect(await call.status()).toMatchObject({ status: 'succeeded', txid });
    expect(await client.asyncCall(call.id).outcome()).toEqual({ result, txid });
    expect(await arrived('later')).toBe(1);
  });

  it('that fails or is canceled throws its error', async () => {
    const failed = await account.async.messages.sendMessage({ peer: peerOf(bob), message: '' });
    await expect(failed.outcome()).rejects.toMatchObject({ code: 'MESSAGE_EMPTY' });
    const scheduleAt = new Date(Date.now() + 3_600_000);
    const canceled = await account.async.messages.sendMessage(
      { peer: peerOf(bob), message: 'not any more' },
      { scheduleAt },
    );
    await canceled.cancel();
    await expect(canceled.outcome()).rejects.toMatchObject({ code: 'canceled' });
    await expect(failed.cancel()).rejects.toMatchObject({ code: 'call_ended' });
  });

  it('can be one of many', async () => {
    const calls = ['many 0', 'many 1'].map((message) =>
      account.prepare.messages.sendMessage({ peer: peerOf(bob), message }),
    );
    for (const outcome of await client.workspace(ada.workspaceId).asyncBulk(calls)) {
      if (!outcome.ok) throw outcome.error;
      expect((await outcome.call.outcome()).result._).toBe('updateShortSentMessage');
    }
    expect(await arrived('many 1')).toBe(1);
  });
});
