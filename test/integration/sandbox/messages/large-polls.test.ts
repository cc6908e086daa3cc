import { afterAll, beforeAll, expect, it } from 'vitest';
import { stateKey } from '../../../../src/redis/keys.ts';
import { fileSizesKey } from '../../../../workers/sandbox/model/files/keys.ts';
import { aChannel } from '../../../support/sandbox/a-channel.ts';
import { readCostOf } from '../../../support/sandbox/read-cost.ts';
import { aRandomId, Sandbox, type SandboxAccount } from '../../../support/sandbox/sandbox.ts';

const ANSWERS = 12;
const PARTS = 4_000;
const MIB = 1_024 * 1_024;

let sandbox: Sandbox;
let ada: SandboxAccount;
beforeAll(async () => {
  sandbox = await Sandbox.open();
  ada = await sandbox.anAccount();
});
afterAll(() => sandbox.close());

const text = (words: string) => ({ _: 'textWithEntities', text: words, entities: [] });

/** A poll that shows one upload with each of its answers, and beside them. */
function aPollOf(file: object, { closed = false, title = '' } = {}) {
  const attributes = [{ _: 'documentAttributeAudio', duration: 1, title }];
  const media = { _: 'inputMediaUploadedDocument', file, mimeType: 'audio/ogg', attributes };
  const answers = Array.from({ length: ANSWERS }, (_, i) => ({
    _: 'inputPollAnswer',
    text: text(`Answer ${i}`),
    media,
  }));
  const poll = { _: 'poll', id: '0', hash: '0', question: text('Which?'), answers };
  return { _: 'inputMediaPoll', poll: { ...poll, closed }, attachedMedia: media };
}

it('a poll as long as one can be is closed for everybody who has come since it was sent', async () => {
  const { peer, id: channelId } = await aChannel(sandbox, ada, { megagroup: true });
  const file = await sandbox.upload(ada, Buffer.from('Some bytes'));
  const media = aPollOf(file, { title: 'x'.repeat(1_700) });
  await sandbox.call(ada, 'messages.sendMedia', { peer, message: '', media, randomId: aRandomId() });
  const { id, media: sent } = await sandbox.newest(ada, peer);
  const { poll, attachedMedia } = sent;
  expect(JSON.stringify({ poll, attachedMedia }).length).toBeGreaterThan(29_000);
  const others = await Promise.all(
    Array.from({ length: 89 }, (_, i) => sandbox.anAccount(`${i}`, { workspaceId: ada.workspaceId })),
  );
  for (const other of others) await sandbox.letIn(other, channelId);
  const [bob, cleo, dan] = others as [SandboxAccount, SandboxAccount, SandboxAccount];
  const options = sent.poll.answers.map(({ option }: { option: string }) => option);
  for (const [account, i] of [
    [bob, 1],
    [cleo, 1],
    [dan, 2],
  ] as const)
    await sandbox.call(account, 'messages.sendVote', { peer, msgId: id, options: [options[i]] });
  const closed = { peer, id, media: aPollOf(file, { closed: true }) };
  const { updates } = await sandbox.watch(ada, () => sandbox.call(ada, 'messages.editMessage', closed));
  expect(updates).toHaveLength(90);
  const chosenBy = (account: SandboxAccount) => {
    const { poll, results } = updates.find(({ accountId }) => accountId === account.id)?.update ?? {};
    expect(poll.closed).toBe(true);
    expect(poll.answers.map(({ option }: { option: string }) => option)).toEqual(options);
    expect(poll.creator === true).toBe(account === ada);
    expect(results.totalVoters).toBe(3);
    expect(results.results.map(({ voters }: { voters: number }) => voters).slice(0, 4)).toEqual([0, 2, 1, 0]);
    return results.results.flatMap(({ chosen }: { chosen?: boolean }, i: number) => (chosen ? [i] : []));
  };
  expect([bob, cleo, dan, others[3] as SandboxAccount, ada].map(chosenBy)).toEqual([[1], [1], [2], [], []]);
});

it('an upload that a call names many times is measured once', async () => {
  const id = aRandomId();
  const key = stateKey(ada.workspaceId, fileSizesKey(ada.userId, id));
  const sizes = Array.from({ length: PARTS }, (_, part) => [part, '1024']);
  await sandbox.redis.hset(key, Object.fromEntries([...sizes, ['saves', String(PARTS)]]));
  const file = { _: 'inputFileBig', id, parts: PARTS, name: 'file' };
  const params = { peer: { _: 'inputPeerSelf' }, message: '', media: aPollOf(file), randomId: aRandomId() };
  const cost = await readCostOf(sandbox, ada, 'messages.sendMedia', params);
  expect(cost.values).toBeLessThan(2.1 * PARTS);
  expect(cost.charged).toBeGreaterThan(4 * PARTS);
  expect(cost.bytes).toBeLessThan(0.5 * MIB);
  await sandbox.call(ada, 'messages.sendMedia', params);
  const short = { ...params, media: aPollOf({ ...file, parts: PARTS - 1 }), randomId: aRandomId() };
  expect(await sandbox.refusal(ada, 'messages.sendMedia', short)).toBe('FILE_PARTS_INVALID');
});
