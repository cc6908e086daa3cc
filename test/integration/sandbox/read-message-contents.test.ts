import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { peerOf, Sandbox, type SandboxAccount } from '../../support/sandbox/sandbox.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await Sandbox.open();
});
afterAll(() => sandbox.close());

const VIDEO = { _: 'documentAttributeVideo', duration: 1.5, w: 320, h: 240 };

/** What comes of reading: what others hear of it, and what the account's own sessions do. */
async function read(account: SandboxAccount, ...id: number[]) {
  const watched = await sandbox.watch(account, () =>
    sandbox.call(account, 'messages.readMessageContents', { id }),
  );
  const isOwn = ({ accountId }: { accountId: string | null }) => accountId === account.id;
  const own = watched.updates.filter(isOwn).map(({ update }) => update);
  return { result: watched.result, updates: watched.updates.filter((one) => !isOwn(one)), own };
}

describe('messages.readMessageContents', () => {
  it.each(['voice', 'video', 'round'] as const)('tells the sender of a %s, once', async (kind) => {
    const [ada, bob] = await sandbox.twoAccounts();
    await sandbox.sendFile(bob, peerOf(ada), kind);
    const received = await sandbox.newest(ada, peerOf(bob));
    const sent = await sandbox.newest(bob, peerOf(ada));
    // Only what is to be heard, and round videos, show it: with Telegram an ordinary video does not.
    const isMarked = kind !== 'video';
    expect([received.mediaUnread, sent.mediaUnread]).toEqual([isMarked, isMarked]);

    const { result, updates, own } = await read(ada, received.id);
    expect(own).toMatchObject([{ messages: [received.id], pts: result.pts, ptsCount: 1 }]);
    expect(result).toEqual({
      _: 'messages.affectedMessages',
      pts: expect.any(Number),
      ptsCount: 1,
    });
    expect(updates).toMatchObject([
      {
        kind: 'RawUpdateReadMessagesContents',
        accountId: bob.id,
        update: {
          _: 'updateReadMessagesContents',
          messages: [sent.id],
          ptsCount: 1,
        },
      },
    ]);
    expect((await sandbox.newest(ada, peerOf(bob))).mediaUnread).toBe(false);
    expect((await sandbox.newest(bob, peerOf(ada))).mediaUnread).toBe(false);

    const again = await read(ada, received.id);
    expect(again).toEqual({
      result: { ...result, ptsCount: 0 },
      updates: [],
      own: [],
    });
  });

  it('opens what destroys itself, which is gone then from both copies', async () => {
    const [ada, bob] = await sandbox.twoAccounts();
    const file = await sandbox.upload(bob, Buffer.from('a secret'));
    const media = { _: 'inputMediaUploadedDocument', file, mimeType: 'video/mp4', attributes: [VIDEO] };
    const send = (peer: object, ttlSeconds = 10) => ({
      peer,
      message: 'Look',
      media: { ...media, ttlSeconds },
    });
    await sandbox.call(bob, 'messages.sendMedia', send(peerOf(ada)));
    const [received, sent] = [await sandbox.newest(ada, peerOf(bob)), await sandbox.newest(bob, peerOf(ada))];
    for (const copy of [received, sent])
      expect(copy).toMatchObject({ mediaUnread: true, media: { ttlSeconds: 10, document: { size: 8 } } });
    const forward = { fromPeer: peerOf(bob), id: [received.id], toPeer: { _: 'inputPeerSelf' } };
    expect(await sandbox.refusal(ada, 'messages.forwardMessages', { ...forward, randomId: ['1'] })).toBe(
      'CHAT_FORWARDS_RESTRICTED',
    );
    const edit = { peer: peerOf(ada), id: sent.id, media };
    expect(await sandbox.refusal(bob, 'messages.editMessage', edit)).toBe('MEDIA_PREV_INVALID');
    expect((await read(ada, received.id)).updates).toMatchObject([{ update: { messages: [sent.id] } }]);
    for (const [account, peer] of [
      [ada, peerOf(bob)],
      [bob, peerOf(ada)],
    ] as const) {
      const { mediaUnread, media: left } = await sandbox.newest(account, peer);
      expect([mediaUnread, left.ttlSeconds, left.document]).toEqual([false, 10, undefined]);
    }
    expect((await read(ada, received.id)).result.ptsCount).toBe(0);
    const group = await sandbox.aGroup(bob, ada);
    for (const params of [send(group), send({ _: 'inputPeerSelf' }), send(peerOf(ada), 61)])
      expect(await sandbox.refusal(bob, 'messages.sendMedia', params)).toBe('TTL_MEDIA_INVALID');
    await sandbox.call(bob, 'messages.sendMedia', send(peerOf(ada), 0x7fffffff));
  });

  it('advances pts by what it read, in both accounts', async () => {
    const [ada, bob] = await sandbox.twoAccounts();
    for (let i = 0; i < 3; i += 1) await sandbox.sendFile(bob, peerOf(ada), 'voice');
    const ids = (await sandbox.history(ada, peerOf(bob))).map(({ id }) => id);
    const before = (await read(ada)).result.pts;
    const { result, updates } = await read(ada, ...ids, ...ids);
    expect(result).toMatchObject({ pts: before + 3, ptsCount: 3 });
    expect(updates).toHaveLength(1);
    expect(updates[0]?.update).toMatchObject({ ptsCount: 3 });
    expect(updates[0]?.update.messages).toHaveLength(3);
  });

  it('passes over what is not there, what is not to be heard or seen, and what is its own', async () => {
    const [ada, bob] = await sandbox.twoAccounts();
    await sandbox.sendFile(bob, peerOf(ada), 'document');
    await sandbox.send(bob, peerOf(ada), 'Text');
    const ids = (await sandbox.history(ada, peerOf(bob))).map(({ id }) => id);
    await sandbox.sendFile(ada, peerOf(bob), 'voice');
    const own = await sandbox.newest(ada, peerOf(bob));
    await sandbox.sendFile(ada, { _: 'inputPeerSelf' }, 'video');
    const note = await sandbox.newest(ada, { _: 'inputPeerSelf' });
    const { result, updates } = await read(ada, ...ids, own.id, note.id, 12_345, -1, 0);
    expect(result.ptsCount).toBe(0);
    expect(updates).toEqual([]);
  });

  it('takes effect once however often it is called at once', async () => {
    const [ada, bob] = await sandbox.twoAccounts();
    await sandbox.sendFile(bob, peerOf(ada), 'voice');
    const { id } = await sandbox.newest(ada, peerOf(bob));
    const { result, updates } = await sandbox.watch(ada, () =>
      Promise.all(
        Array.from({ length: 20 }, () => sandbox.call(ada, 'messages.readMessageContents', { id: [id] })),
      ),
    );
    expect(result.map(({ ptsCount }) => ptsCount).sort()).toEqual([...Array(19).fill(0), 1]);
    expect(updates.map(({ accountId }) => accountId)).toEqual([bob.id, ada.id]);
  });

  it('tells the senders of each, with their own ids', async () => {
    const [ada, bob] = await sandbox.twoAccounts();
    const eve = await sandbox.anAccount('Eve', {
      workspaceId: ada.workspaceId,
    });
    await sandbox.send(eve, { _: 'inputPeerSelf' }, 'So that ids differ');
    for (const sender of [bob, eve]) await sandbox.sendFile(sender, peerOf(ada), 'voice');
    const own = async (sender: SandboxAccount) => (await sandbox.newest(sender, peerOf(ada))).id;
    const ids = await Promise.all(
      [bob, eve].map(async (from) => (await sandbox.newest(ada, peerOf(from))).id),
    );
    const { updates } = await read(ada, ...ids);
    expect(updates.map(({ accountId, update }) => [accountId, update.messages])).toEqual([
      [bob.id, [await own(bob)]],
      [eve.id, [await own(eve)]],
    ]);
  });

  it('tells the sender in a group of the first who listens, and leaves it unheard for the others', async () => {
    const [ada, bob] = await sandbox.twoAccounts();
    const eve = await sandbox.anAccount('Eve', {
      workspaceId: ada.workspaceId,
    });
    const group = await sandbox.aGroup(ada, bob, eve);
    await sandbox.sendFile(bob, group, 'voice');
    const first = await read(ada, (await sandbox.newest(ada, group)).id);
    expect(first.updates.map(({ accountId }) => accountId)).toEqual([bob.id]);
    expect((await sandbox.newest(eve, group)).mediaUnread).toBe(true);
    const second = await read(eve, (await sandbox.newest(eve, group)).id);
    expect(second.result.ptsCount).toBe(1);
    expect(second.updates).toEqual([]);
    expect((await sandbox.newest(eve, group)).mediaUnread).toBe(false);
  });

  it('reads the mentions in them as well, of which their sender hears nothing', async () => {
    const [ada, bob] = await sandbox.twoAccounts();
    const group = await sandbox.aGroup(ada, bob);
    await sandbox.send(bob, group, `@${ada.username}`);
    const { id } = await sandbox.newest(ada, group);
    const { result, updates } = await read(ada, id);
    expect(result.ptsCount).toBe(1);
    expect(updates).toEqual([]);
    expect(await sandbox.newest(ada, group)).toMatchObject({
      mentioned: true,
      mediaUnread: false,
    });
    const window = { offsetId: 0, addOffset: 0, limit: 10, maxId: 0, minId: 0 };
    const unread = await sandbox.call(ada, 'messages.getUnreadMentions', {
      peer: group,
      ...window,
    });
    expect(unread.messages).toEqual([]);
  });

  it('counts what was sent to oneself as heard', async () => {
    const ada = await sandbox.anAccount();
    await sandbox.sendFile(ada, { _: 'inputPeerSelf' }, 'voice');
    expect((await sandbox.newest(ada, { _: 'inputPeerSelf' })).mediaUnread).toBe(false);
  });
});
