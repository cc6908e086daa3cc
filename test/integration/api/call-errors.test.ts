import { afterAll, beforeAll, expect, it } from 'vitest';
import { placeCatalogue } from '../../../src/problem.ts';
import { TestApi } from '../../support/api/api.ts';
import { storeCall } from '../../support/api/async-calls.ts';

let api: TestApi;

beforeAll(async () => {
  api = await TestApi.start();
});
afterAll(() => api.stop());

it('the error of a call leads to its page also where a worker wrote it that does not know the public address', async () => {
  const id = await storeCall(api.redis, { ...(await api.aTenant()), result: 'failed' });
  placeCatalogue('https://gateway.example/beta/');
  try {
    const type = 'https://gateway.example/beta/problems/messenger_failed';
    expect((await api.ok('GET', `/v1/calls/${id}`)).error.type).toBe(type);
    expect((await api.ok('GET', '/v1/calls')).data[0].error.type).toBe(type);
  } finally {
    placeCatalogue('');
  }
});
