import { afterAll, beforeAll, expect, it } from 'vitest';
import { isApiError } from '../../../src/client/index.ts';
import { accountOf, clientOf } from '../../support/service/client.ts';
import { type Account, Service } from '../../support/service/service.ts';

type AnyMethod = (params: object) => Promise<{ result: { _: string }; txid: number }>;

let service: Service;
let account: Account;

beforeAll(async () => {
  service = await Service.start();
  account = await service.anAccount((await service.aWorkspace()).id);
});

afterAll(() => service.stop());

it('calls a method of every namespace that the sandbox has, as the API shows it', async () => {
  const methods = new Map<string, { name: string; params: object; resultTypes: string[] }>();
  for (let cursor: string | null = ''; cursor !== null; ) {
    const from = cursor === '' ? '' : `&startingAfter=${encodeURIComponent(cursor)}`;
    const page = await service.ok('GET', `/v1/methods?executed=true&limit=100${from}`);
    for (const { name } of page.data) {
      const path = `/v1/methods/${name}?messengerAccountId=${account.id}`;
      const { example, resultTypes } = await service.ok('GET', path);
      if (example !== null) methods.set(name.split('.')[0], { name, params: example.params, resultTypes });
    }
    cursor = page.cursors.next;
  }
  expect(methods.size).toBeGreaterThan(8);
  const client = accountOf(clientOf(service), account);
  for (const [namespace, { name, params, resultTypes }] of methods) {
    const method = name.slice(namespace.length + 1);
    const group = client[namespace as 'messages'] as unknown as Record<string, AnyMethod>;
    const answer = await (group[method] as AnyMethod)(params).catch((error) => {
      throw isApiError(error) ? new Error(`${name}: ${error.message}`) : error;
    });
    expect(resultTypes).toContain(answer.result._);
  }
});
