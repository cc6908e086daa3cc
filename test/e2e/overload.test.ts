import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Account, Service } from '../support/service.ts';

let service: Service;
let account: Account;

beforeAll(async () => {
  service = await Service.start({ env: { CALL_BYTES_IN_FLIGHT_MAX: String(1024 * 1024) } });
  account = await service.anAccount((await service.aWorkspace()).id);
  const faults = [{ method: 'upload.saveFilePart', delayMs: 1_000 }];
  await service.ok('PUT', `/v1/messenger-accounts/${account.id}/sandbox/faults`, { faults });
});

afterAll(() => service.stop());

it('refuses a call at once when the bodies under way weigh too much, and takes it again later', async () => {
  const bytes = Buffer.alloc(450 * 1024).toString('base64');
  const save = (fileId: string) =>
    service.call(account, 'upload.saveFilePart', { fileId, filePart: 0, bytes });
  const first = save('1');
  await new Promise((resolve) => setTimeout(resolve, 300));
  const refused = await save('2');
  expect(refused).toMatchObject({ status: 503, body: { code: 'overloaded', retryable: true } });
  expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
  expect((await service.call(account, 'help.getSupport', {})).status).toBe(200);
  expect((await first).status).toBe(200);
  expect((await save('2')).status).toBe(200);
});
