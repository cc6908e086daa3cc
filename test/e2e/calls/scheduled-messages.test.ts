import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { type Account, Service } from '../../support/service/service.ts';

let service: Service;
beforeAll(async () => {
  service = await Service.start();
});
afterAll(() => service.stop());

// What is to be sent within ten seconds is sent at once, and a busy machine may take a while to say so.
const LATER_S = 20;
const WAIT_MS = 120_000;

const updatesOf = async ({ id, workspaceId }: Account, kind: string) =>
  (await service.updates(workspaceId, '-1', `messengerAccountId=${id}`)).filter(
    ({ update }) => update._ === kind,
  );

it('workers send what is scheduled when its time has come, and say so on the stream', async () => {
  const { id: workspaceId } = await service.aWorkspace();
  const [ada, bob] = [await service.anAccount(workspaceId), await service.anAccount(workspaceId)];
  const peer = { _: 'inputPeerUser', userId: bob.userId, accessHash: '0' };
  const scheduleDate = Math.floor(Date.now() / 1_000) + LATER_S;
  const kept = await service.result(ada, 'messages.sendMessage', { peer, message: 'Later', scheduleDate });
  const { id } = kept.updates.find(({ _ }: { _: string }) => _ === 'updateNewScheduledMessage').message;
  expect(await updatesOf(bob, 'updateNewMessage')).toEqual([]);
  const arrived = await eventually(async () => (await updatesOf(bob, 'updateNewMessage'))[0], {
    timeoutMs: WAIT_MS,
    everyMs: 500,
  });
  expect(arrived).toMatchObject({
    messengerAccountId: bob.id,
    update: { message: { message: 'Later', fromScheduled: true, fromId: { userId: ada.userId } } },
    users: [{ id: ada.userId }],
  });
  expect(arrived.update.message.date).toBeGreaterThanOrEqual(scheduleDate);
  const [sent] = await updatesOf(ada, 'updateNewMessage');
  expect(sent.update.message).toMatchObject({ message: 'Later', out: true });
  expect(await updatesOf(ada, 'updateDeleteScheduledMessages')).toMatchObject([
    { update: { messages: [id], sentMessages: [sent.update.message.id] } },
  ]);
  const left = await service.result(ada, 'messages.getScheduledHistory', { peer, hash: '0' });
  expect(left.messages).toEqual([]);
}, 180_000);
