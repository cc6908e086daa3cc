import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Account, Service } from '../../support/service/service.ts';

let service: Service;

beforeAll(async () => {
  service = await Service.start({ workers: 2 });
});

afterAll(() => service.stop());

it('numbers 10,000 mixed calls of 64 callers without a repeat, in order, and shows reads every earlier write', {
  timeout: 300_000,
}, async () => {
  const { id: workspaceId } = await service.aWorkspace();
  const accounts: Account[] = [];
  for (let i = 0; i < 4; i += 1) accounts.push(await service.anAccount(workspaceId));
  const txids: number[] = [];
  const writes: { txid: number; message: string }[] = [];
  const reads: { txid: number; messages: Set<string> }[] = [];

  async function caller(number: number): Promise<void> {
    const account = accounts[number % 2] as Account;
    const other = accounts[(number + 1) % 2] as Account;
    const peer = { _: 'inputPeerUser', userId: other.userId, accessHash: '0' };
    let last = 0;
    for (let i = 0; i < 157; i += 1) {
      const message = `${number}/${i}`;
      const kind = i % 4;
      const { status, body } =
        kind === 0
          ? await service.call(account, 'messages.sendMessage', {
              peer,
              message,
            })
          : kind === 1
            ? await service.call(account, 'messages.getHistory', {
                peer,
                offsetId: 0,
                offsetDate: 0,
                addOffset: 0,
                limit: 100,
                maxId: 0,
                minId: 0,
                hash: '0',
              })
            : await service.call(account, 'messages.readMessageContents', {
                id: [i],
              });
      expect(status, JSON.stringify(body)).toBe(200);
      expect(body.txid).toBeGreaterThan(last);
      last = body.txid;
      txids.push(body.txid);
      if (kind === 0) writes.push({ txid: body.txid, message });
      if (kind === 1) {
        const texts = body.result.messages.map((found: { message: string }) => found.message);
        reads.push({ txid: body.txid, messages: new Set(texts) });
      }
    }
  }
  await Promise.all(Array.from({ length: 64 }, (_, number) => caller(number)));

  expect(txids.length).toBeGreaterThan(10_000);
  expect(new Set(txids).size).toBe(txids.length);
  const inOrder = writes.toSorted((a, b) => a.txid - b.txid);
  for (const read of reads) {
    const earlier = inOrder.filter(({ txid }) => txid < read.txid).slice(-100);
    // A read also sees what came after it took its number, which pushes older messages off its page.
    const newer = [...read.messages].filter(
      (text) => !earlier.some(({ message }) => message === text),
    ).length;
    for (const { message } of earlier.slice(newer)) expect(read.messages).toContain(message);
  }
  const stream = (await service.updates(workspaceId)).map(({ txid }) => txid);
  expect(stream).toEqual(stream.toSorted((a, b) => a - b));
});
