import { afterAll, beforeAll, expect, it } from 'vitest';
import { aChannel } from '../../../support/sandbox/a-channel.ts';
import { aRandomId, Sandbox } from '../../../support/sandbox/sandbox.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await Sandbox.open();
});
afterAll(() => sandbox.close());

it('nothing is sent under the name of the account where it was to be sent under that of a channel', async () => {
  const ada = await sandbox.anAccount();
  const [{ peer: sendAs }, { peer }] = await Promise.all([
    aChannel(sandbox, ada, { broadcast: true }),
    aChannel(sandbox, ada, { megagroup: true, forum: true }),
  ]);
  const file = await sandbox.upload(ada, Buffer.from('A file'));
  const media = { _: 'inputMediaUploadedDocument', file, mimeType: 'text/plain', attributes: [] };
  const before = await sandbox.newest(ada, peer);
  for (const [method, params] of [
    ['messages.sendMessage', { message: 'As the channel' }],
    ['messages.sendMedia', { message: '', media }],
    ['messages.createForumTopic', { title: 'Of the channel' }],
  ] as const) {
    const wanted = { peer, sendAs, randomId: aRandomId(), ...params };
    expect([method, await sandbox.refusal(ada, method, wanted)]).toEqual([method, 'SEND_AS_PEER_INVALID']);
  }
  expect(await sandbox.newest(ada, peer)).toEqual(before);
  await sandbox.send(ada, peer, 'As myself', { sendAs: { _: 'inputPeerSelf' } });
  expect(await sandbox.newest(ada, peer)).toMatchObject({ fromId: { userId: ada.userId } });
});
