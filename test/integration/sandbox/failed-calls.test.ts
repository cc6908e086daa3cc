import { afterAll, beforeAll, expect, it } from 'vitest';
import { Sandbox } from '../../support/sandbox/sandbox.ts';

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await Sandbox.open();
});
afterAll(() => sandbox.close());

it('a call that was answered as failed for good stays so when it is run again, though it could succeed by then', async () => {
  const ada = await sandbox.anAccount();
  const peer = { _: 'inputPeerSelf' };
  const send = (message: string) => sandbox.call(ada, 'messages.sendMessage', { peer, message });
  await send('first');
  const { id } = await sandbox.newest(ada, peer);
  const params = { peer, id: id + 1, message: 'edited' };
  const [first, second] = await sandbox.callAgain(ada, 'messages.editMessage', params, async () => {
    await send('second');
  });
  expect(first).toContain('MESSAGE_ID_INVALID');
  expect(second).toBe(first);
  expect(await sandbox.newest(ada, peer)).toMatchObject({ id: id + 1, message: 'second' });
});
