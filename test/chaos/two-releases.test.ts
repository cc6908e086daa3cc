import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Account, type ApiProcess, Service, type ServiceProcess } from '../support/service/service.ts';

const NEXT = {
  NODE_OPTIONS: `--import ${fileURLToPath(new URL('../support/service/next-release.mjs', import.meta.url))}`,
};
const CALLS = 200;

let service: Service;
let sender: Account;
let receiver: Account;

beforeAll(async () => {
  // No call is to be refused while the machine stands still.
  service = await Service.start({ workers: 2, env: { CALL_TIMEOUT_MS: '600000' } });
  const { id } = await service.aWorkspace();
  sender = await service.anAccount(id);
  receiver = await service.anAccount(id);
});

afterAll(() => service.stop());

it('two releases of different wire versions run side by side, and nothing fails or is lost while one takes over', async () => {
  const [old] = service.apis as [ApiProcess];
  const [first, second] = service.workers as [ServiceProcess, ServiceProcess];
  const sent: string[] = [];
  await send('before', [old], sent);

  // Workers first: those of the next release serve both.
  await service.startWorker(NEXT);
  await send('one worker each', [old], sent);
  first.child.kill('SIGTERM');
  const next = await service.startApi(NEXT);
  await send('both', [old, next], sent);

  second.child.kill('SIGTERM');
  await send('only workers of the next release', [old, next], sent);

  // A worker of the old release beside it leaves alone what it does not know.
  const returned = await service.startWorker();
  await send('an old worker beside', [old, next], sent);
  old.child.kill('SIGTERM');
  returned.child.kill('SIGTERM');
  await send('after', [next], sent);

  const updates = await service.updates(receiver.workspaceId, '-1', '', next.url);
  const seen = updates
    .filter(({ messengerAccountId }) => messengerAccountId === receiver.id)
    .map(({ update }) => update.message.message);
  expect(seen.toSorted()).toEqual(sent.toSorted());
});

async function send(stage: string, apis: ApiProcess[], sent: string[]): Promise<void> {
  const peer = { _: 'inputPeerUser', userId: receiver.userId, accessHash: '0' };
  const answers = await Promise.all(
    Array.from({ length: CALLS }, (_, i) => {
      const message = `${stage} ${i}`;
      sent.push(message);
      const url = (apis[i % apis.length] as ApiProcess).url;
      return service.call(sender, 'messages.sendMessage', { peer, message }, { url });
    }),
  );
  expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
}
