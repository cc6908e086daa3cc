import { afterAll, beforeAll, expect, it } from 'vitest';
import { peerOf, Sandbox, type SandboxAccount } from '../../../support/sandbox/sandbox.ts';

let sandbox: Sandbox;
let ada: SandboxAccount;
let bob: SandboxAccount;

beforeAll(async () => {
  sandbox = await Sandbox.open();
  [ada, bob] = await sandbox.twoAccounts();
});

afterAll(() => sandbox.close());

const text = (words: string) => ({ _: 'textWithEntities', text: words, entities: [] });
const optionOf = (name: string) => Buffer.from(name).toString('base64');

function aPoll(settings: object = {}) {
  const answers = ['a', 'b'].map((name) => ({ _: 'pollAnswer', text: text(name), option: optionOf(name) }));
  const poll = { _: 'poll', id: '0', hash: '0', question: text('Which?'), answers, ...settings };
  return { _: 'inputMediaPoll', poll };
}

/** Ada sends a poll, in which Bob votes; gives the ids of the message. */
async function votedPoll(own: object, theirs: object): Promise<{ own: number; theirs: number }> {
  await sandbox.call(ada, 'messages.sendMedia', { peer: own, message: 'A poll', media: aPoll() });
  const [sent, received] = [await sandbox.newest(ada, own), await sandbox.newest(bob, theirs)];
  await vote(bob, theirs, received.id);
  return { own: sent.id, theirs: received.id };
}

function vote(account: SandboxAccount, peer: object, msgId: number) {
  return sandbox.call(account, 'messages.sendVote', { peer, msgId, options: [optionOf('a')] });
}

it('a poll whose message is edited is shown with its votes to each side', async () => {
  const { own: id } = await votedPoll(peerOf(bob), peerOf(ada));
  const edit = () =>
    sandbox.call(ada, 'messages.editMessage', { peer: peerOf(bob), id, message: 'The poll' });
  const { result, updates } = await sandbox.watch(ada, edit);
  expect(result.updates[0].message.media.results).toMatchObject({ totalVoters: 1 });
  const { message } = updates.find(({ accountId }) => accountId === bob.id)?.update ?? {};
  expect(message).toMatchObject({ message: 'The poll', media: { results: { totalVoters: 1 } } });
  expect(message.media.results.results).toMatchObject([{ voters: 1, chosen: true }, { voters: 0 }]);
  expect(result.updates[0].message.media.poll.creator).toBe(true);
  expect(message.media.poll.creator).not.toBe(true);
});
