import { afterAll, beforeAll, expect, it } from 'vitest';
import { aChannel } from '../../../support/sandbox/a-channel.ts';
import { peerOf, Sandbox, type SandboxAccount } from '../../../support/sandbox/sandbox.ts';

let sandbox: Sandbox;
let ada: SandboxAccount;
let bob: SandboxAccount;
beforeAll(async () => {
  sandbox = await Sandbox.open();
  [ada, bob] = await sandbox.twoAccounts();
});
afterAll(() => sandbox.close());

const VOICE = {
  mimeType: 'audio/ogg',
  attributes: [{ _: 'documentAttributeAudio', voice: true, duration: 4 }],
};
const FILE = { mimeType: 'text/plain', attributes: [] };

/** Gives a message of Ada another medium. */
async function replaceMedium(peer: object, id: number, kind: typeof VOICE | typeof FILE) {
  const file = await sandbox.upload(ada, Buffer.from('Another file'));
  const media = { _: 'inputMediaUploadedDocument', file, ...kind };
  return sandbox.call(ada, 'messages.editMessage', { peer, id, media });
}

it('a new voice message in place of one that was heard is unheard, and a file is not', async () => {
  const { peer, channel } = await aChannel(sandbox, ada, { megagroup: true }, bob);
  for (const [own, theirs] of [
    [peerOf(bob), peerOf(ada)],
    [peer, peer],
  ] as const) {
    await sandbox.sendFile(ada, own, 'voice');
    const [{ id }, received] = [await sandbox.newest(ada, own), await sandbox.newest(bob, theirs)];
    const isUnheard = async () => (await sandbox.newest(bob, theirs)).mediaUnread;
    const hear = () =>
      theirs === peer
        ? sandbox.call(bob, 'channels.readMessageContents', { channel, id: [received.id] })
        : sandbox.call(bob, 'messages.readMessageContents', { id: [received.id] });
    await replaceMedium(own, id, FILE);
    expect(await isUnheard()).toBe(false);
    await replaceMedium(own, id, VOICE);
    expect(await isUnheard()).toBe(true);
    await hear();
    expect(await isUnheard()).toBe(false);
    await replaceMedium(own, id, VOICE);
    expect((await sandbox.updatesOf(bob)).at(-1).message).toMatchObject({ mediaUnread: true });
    expect(await isUnheard()).toBe(true);
    const caption = { peer: own, id, message: 'Listen' };
    await hear();
    await sandbox.call(ada, 'messages.editMessage', caption);
    expect(await isUnheard()).toBe(false);
  }
});
