import { expect, it, vi } from 'vitest';
import type { ApiDeps } from '../../../src/api/deps.ts';
import { removeFaultMark } from '../../../src/api/records/mark-faults.ts';
import type { MessengerAccount } from '../../../src/directory/collections.ts';
import { patchRecord } from '../../../src/directory/records.ts';

vi.mock(import('../../../src/directory/records.ts'), async (original) => ({
  ...(await original()),
  patchRecord: vi.fn(),
}));

const error = { method: '*', count: 1, error: 'INTERNAL' };
const delay = { method: '*', count: 1, delayMs: 5_000 };

it.each([
  [[], { faults: false, lane: 'shared' }],
  [[error], { faults: true, lane: 'shared' }],
  [[error, delay], { faults: true, lane: 'slow' }],
])('marks an account by the faults that another request has set meanwhile: %j', async (faults, marks) => {
  const deps = {
    directory: { redis: {}, accounts: { forget: () => undefined } },
    accountControl: { control: async () => ({ faults }) },
  };
  const account = { id: 'acc_1' } as MessengerAccount;
  await removeFaultMark(deps as unknown as ApiDeps, account, new AbortController().signal);
  expect(vi.mocked(patchRecord).mock.lastCall?.[3]).toEqual(marks);
});
