import { randomBytes } from 'node:crypto';
import { EventSource } from 'eventsource';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { type Account, Service } from '../../support/service/service.ts';

let service: Service;

beforeAll(async () => {
  service = await Service.start();
});

afterAll(() => service.stop());

function aPeer(account: Account) {
  return { _: 'inputPeerUser', userId: account.userId, accessHash: '0' };
}

async function sendVoice(from: Account, to: Account): Promise<void> {
  const bytes = randomBytes(20_000);
  const fileId = randomBytes(8).readBigInt64BE().toString();
  for (const [filePart, start] of [0, 16_384].entries()) {
    const part = bytes.subarray(start, start + 16_384).toString('base64');
    await service.result(from, 'upload.saveFilePart', {
      fileId,
      filePart,
      bytes: part,
    });
  }
  await service.result(from, 'messages.sendMedia', {
    peer: aPeer(to),
    message: '',
    media: {
      _: 'inputMediaUploadedDocument',
      file: {
        _: 'inputFile',
        id: fileId,
        parts: 2,
        name: 'voice.ogg',
        md5Checksum: '',
      },
      mimeType: 'audio/ogg',
      attributes: [{ _: 'documentAttributeAudio', voice: true, duration: 3 }],
    },
  });
}

it('tells the sender of a voice message, once, that it was listened to', async () => {
  const { id: workspaceId } = await service.aWorkspace();
  const [listener, sender] = await Promise.all([
    service.anAccount(workspaceId),
    service.anAccount(workspaceId),
  ]);
  const seen: Record<string, unknown>[] = [];
  const stream = new EventSource(`${service.url}/v1/workspaces/${workspaceId}/updates?offset=now&live=sse`, {
    fetch: (url, init) =>
      fetch(url, {
        ...init,
        headers: {
          ...init.headers,
          authorization: 'Bearer root-key-of-the-tests',
        },
      }),
  });
  stream.addEventListener('data', ({ data }) => seen.push(...JSON.parse(data)));
  await new Promise((resolve) => stream.addEventListener('open', resolve, { once: true }));

  await sendVoice(sender, listener);
  const arrived = await eventually(() =>
    seen.find((entry) => entry.messengerAccountId === listener.id && entry.kind === 'RawUpdateNewMessage'),
  );
  const sent = await eventually(() =>
    seen.find((entry) => entry.messengerAccountId === sender.id && entry.kind === 'RawUpdateNewMessage'),
  );
  const theirId = (arrived as { update: { message: { id: number } } }).update.message.id;
  const ownId = (sent as { update: { message: { id: number } } }).update.message.id;

  const first = await service.call(listener, 'messages.readMessageContents', {
    id: [theirId],
  });
  expect(first.body).toMatchObject({
    result: { _: 'messages.affectedMessages', ptsCount: 1 },
  });
  await eventually(() => seen.some(({ kind }) => kind === 'RawUpdateReadMessagesContents'));

  const second = await service.call(listener, 'messages.readMessageContents', {
    id: [theirId],
  });
  expect(second.body.result).toMatchObject({
    ptsCount: 0,
    pts: first.body.result.pts,
  });
  await service.result(listener, 'messages.sendMessage', {
    peer: aPeer(sender),
    message: 'heard',
  });
  await eventually(() => seen.some((entry) => JSON.stringify(entry).includes('"heard"')));
  stream.close();

  const reads = seen.filter(({ kind }) => kind === 'RawUpdateReadMessagesContents');
  // Also the listener's other sessions hear of it.
  expect(reads).toMatchObject(
    [
      [sender, ownId],
      [listener, theirId],
    ].map(([account, id]) => ({
      messengerAccountId: (account as Account).id,
      txid: first.body.txid,
      update: { _: 'updateReadMessagesContents', messages: [id] },
    })),
  );
});
