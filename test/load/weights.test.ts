import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { type Account, Service } from '../support/service/service.ts';
import { slowWorkers } from '../support/service/slow-workers.ts';

const CALLERS = 350;
// The last caller of the light workspace waits for a quarter of a slow worker. Nobody is refused for that here.
const PATIENT = { ADMISSION_MAX_WAIT_MS: '60000', CALL_TIMEOUT_MS: '120000' };

let service: Service;
let heavy: Account;
let light: Account;

beforeAll(async () => {
  service = await Service.start({ apis: 2, workers: 1, env: { ...slowWorkers(3), ...PATIENT } });
  [heavy, light] = [await anAccount(), await anAccount()];
  await service.ok('PATCH', `/v1/workspaces/${heavy.workspaceId}`, { weight: 3 });
});

afterAll(() => service.stop());

async function anAccount(): Promise<Account> {
  return service.anAccount((await service.aWorkspace()).id);
}

async function placesOf(url: string): Promise<number> {
  const { body } = await service.request('GET', '/metrics', undefined, { url });
  return Number(/^switchboard_window_places (\d+)$/m.exec(body)?.[1]);
}

it('divides what workers can do by weight among workspaces on different API processes', {
  timeout: 300_000,
}, async () => {
  const answered = new Map([heavy, light].map(({ workspaceId }) => [workspaceId, 0]));
  const others: number[] = [];
  let isOver = false;
  const callOn = async (account: Account, url: string) => {
    while (!isOver) {
      const { status } = await service.call(account, 'help.getSupport', {}, { url });
      if (status !== 200) others.push(status);
      answered.set(account.workspaceId, (answered.get(account.workspaceId) ?? 0) + 1);
    }
  };
  const [first = '', second = ''] = service.apis.map(({ url }) => url);
  const callers = Array.from({ length: CALLERS }, () => [callOn(heavy, first), callOn(light, second)]).flat();
  // The window is smaller where calls take long, but divided alike.
  await eventually(
    async () => {
      const [most, least] = await Promise.all([placesOf(first), placesOf(second)]);
      return least > 0 && Math.abs(most / least - 3) < 0.5;
    },
    { timeoutMs: 60_000 },
  );
  const sum = () => [...answered.values()].reduce((total, count) => total + count, 0);
  const atFirst = new Map(answered);
  // What was sent before the window was divided is out of the way by then.
  const settled = sum() + 2 * 384;
  await eventually(() => sum() > settled, { timeoutMs: 60_000 });
  for (const [workspaceId, count] of answered) atFirst.set(workspaceId, count);
  const enough = sum() + 2_000;
  await eventually(() => sum() > enough, { timeoutMs: 120_000 });
  const [many = 0, few = 0] = [heavy, light].map(
    ({ workspaceId }) => (answered.get(workspaceId) ?? 0) - (atFirst.get(workspaceId) ?? 0),
  );
  isOver = true;
  await Promise.all(callers);
  expect(others).toEqual([]);
  expect(many / few).toBeGreaterThan(2);
  expect(many / few).toBeLessThan(4.5);
});
