import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, Service } from '../../support/service/service.ts';

let service: Service;
beforeAll(async () => {
  service = await Service.start();
});
afterAll(() => service.stop());

const SELF = { _: 'inputPeerSelf' };

async function anAccount(): Promise<Account> {
  return service.anAccount((await service.aWorkspace()).id);
}

function setFaults(account: Account, ...faults: object[]) {
  return service.ok('PUT', `/v1/messenger-accounts/${account.id}/sandbox/faults`, { faults });
}

function send(account: Account, message: string, headers: Record<string, string> = {}) {
  return service.call(account, 'messages.sendMessage', { peer: SELF, message }, { headers });
}

async function texts(account: Account): Promise<string[]> {
  const updates = await service.updates(account.workspaceId);
  return updates.map(({ update }) => update.message?.message);
}

describe('an injected fault', () => {
  it('FLOOD_WAIT_n is 429 with the seconds to wait, for as many calls as was said', async () => {
    const ada = await anAccount();
    await setFaults(ada, { method: 'messages.sendMessage', count: 2, error: 'FLOOD_WAIT_7' });
    expect((await service.call(ada, 'help.getSupport', {})).status).toBe(200);
    for (const text of ['one', 'two']) {
      const answer = await send(ada, text);
      expect(answer).toMatchObject({
        status: 429,
        body: { code: 'FLOOD_WAIT', seconds: 7, retryable: true },
      });
      expect(answer.headers.get('retry-after')).toBe('7');
    }
    expect((await send(ada, 'three')).status).toBe(200);
    expect(await texts(ada)).toEqual(['three']);
  });

  it('says when to come back too for an async call that ends with it while its caller waits', async () => {
    const ada = await anAccount();
    await setFaults(ada, { method: 'messages.sendMessage', error: 'FLOOD_WAIT_70' });
    const path = `/workspaces/${ada.workspaceId}/messenger-accounts/${ada.id}/call/messages.sendMessage`;
    const body = {
      params: { peer: SELF, message: 'too late' },
      // Before the messenger would take it.
      expiresAt: new Date(Date.now() + 60_000).toISOString(),
    };
    const answer = await service.request('POST', path, body, {
      headers: { prefer: 'respond-async, wait=30' },
    });
    expect(answer).toMatchObject({
      status: 429,
      body: { code: 'FLOOD_WAIT', retryable: true, retryAfter: 70 },
    });
    expect(answer.headers.get('retry-after')).toBe('70');
  });

  it('happens if it is listed, also when it was set while others were removed', async () => {
    const ada = await anAccount();
    const fault = { method: 'messages.sendMessage', error: 'FLOOD_WAIT_7' };
    for (let round = 1; round <= 60; round += 1) {
      await Promise.all(
        Array.from({ length: 8 }, (_, i) => (i % 2 === 0 ? setFaults(ada, fault) : setFaults(ada))),
      );
      const { faults } = await service.ok('GET', `/v1/messenger-accounts/${ada.id}/sandbox/faults`);
      expect((await send(ada, `round ${round}`)).status, `round ${round}`).toBe(
        faults.length > 0 ? 429 : 200,
      );
    }
  });

  it('INTERNAL is 502, a failure of the messenger', async () => {
    const ada = await anAccount();
    await setFaults(ada, { method: '*', error: 'INTERNAL' });
    expect(await send(ada, 'one')).toMatchObject({
      status: 502,
      body: { code: 'INTERNAL', retryable: true },
    });
    expect((await send(ada, 'two')).status).toBe(200);
  });

  it('a delay makes the call that much slower', async () => {
    const ada = await anAccount();
    await setFaults(ada, { method: 'messages.sendMessage', delayMs: 400 });
    const startedAt = performance.now();
    expect((await send(ada, 'slow')).status).toBe(200);
    expect(performance.now() - startedAt).toBeGreaterThan(390);
    expect(await texts(ada)).toEqual(['slow']);
  });

  it('a disconnect closes the connection although the call ran, and its key still gets the answer', async () => {
    const ada = await anAccount();
    await setFaults(ada, { method: 'messages.sendMessage', disconnect: true });
    const headers = { 'idempotency-key': 'a-lost-answer' };
    await expect(send(ada, 'once', headers)).rejects.toThrow(/fetch failed|terminated/);
    expect(await texts(ada)).toEqual(['once']);
    const again = await send(ada, 'once', headers);
    expect(again.status).toBe(200);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(await texts(ada)).toEqual(['once']);
  });

  it('a disconnect hides a refusal as well', async () => {
    const ada = await anAccount();
    await setFaults(ada, { method: '*', disconnect: true });
    const params = { peer: { _: 'inputPeerUser', userId: 5, accessHash: '0' }, message: 'Nobody' };
    await expect(service.call(ada, 'messages.sendMessage', params)).rejects.toThrow();
    expect(await service.call(ada, 'messages.sendMessage', params)).toMatchObject({
      body: { code: 'PEER_ID_INVALID' },
    });
  });
});

describe('a reset', () => {
  const reset = (account: Account) =>
    service.request('POST', `/v1/messenger-accounts/${account.id}/sandbox/reset`);

  it('brings the account back to how it was, and keeps who it is', async () => {
    const ada = await anAccount();
    const bob = await service.anAccount(ada.workspaceId);
    const { chats } = await service.result(ada, 'messages.getFullChat', { chatId: 1 });
    await send(ada, 'To be forgotten');
    const toBob = { _: 'inputPeerUser', userId: bob.userId, accessHash: '0' };
    await service.result(ada, 'messages.sendMessage', { peer: toBob, message: 'Kept by Bob' });
    await service.result(ada, 'contacts.block', { id: toBob });
    await setFaults(ada, { method: '*', count: 9, error: 'FLOOD_WAIT_7' });

    expect((await reset(ada)).status).toBe(204);
    const record = await service.ok('GET', `/v1/messenger-accounts/${ada.id}`);
    expect(record).toEqual(ada);
    expect(await service.ok('GET', `/v1/messenger-accounts/${ada.id}/sandbox/faults`)).toEqual({
      faults: [],
    });
    const window = { offsetId: 0, offsetDate: 0, addOffset: 0, limit: 100, maxId: 0, minId: 0, hash: '0' };
    const history = (account: Account, peer: object) =>
      service.result(account, 'messages.getHistory', { peer, ...window });
    expect((await history(ada, SELF)).messages).toMatchObject([{ id: 1 }]);
    expect((await history(ada, toBob)).messages).toEqual([]);
    const toAda = { _: 'inputPeerUser', userId: ada.userId, accessHash: '0' };
    expect((await history(bob, toAda)).messages).toMatchObject([{ message: 'Kept by Bob' }]);
    const after = await service.result(ada, 'messages.getFullChat', { chatId: 1 });
    expect(after.chats[0].id).not.toBe(chats[0].id);
    await service.result(ada, 'messages.sendMessage', { peer: toBob, message: 'No longer blocked' });
  });

  it('is for sandbox accounts, and for who may change them', async () => {
    const ada = await anAccount();
    const { secret } = await service.ok('POST', '/v1/api-keys', {
      name: 'Reader',
      workspaceId: ada.workspaceId,
      scopes: ['accounts:read'],
    });
    const path = `/v1/messenger-accounts/${ada.id}/sandbox/reset`;
    expect((await service.request('POST', path, undefined, { key: secret })).status).toBe(403);
    expect((await service.request('POST', '/v1/messenger-accounts/acc_none/sandbox/reset')).status).toBe(404);
  });
});
