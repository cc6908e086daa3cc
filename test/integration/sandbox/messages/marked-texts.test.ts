import { afterAll, beforeAll, expect, it } from 'vitest';
import { aRandomId, peerOf, Sandbox, type SandboxAccount, userOf } from '../../../support/sandbox/sandbox.ts';

let sandbox: Sandbox;
let ada: SandboxAccount;
let bob: SandboxAccount;
beforeAll(async () => {
  sandbox = await Sandbox.open();
  [ada, bob] = await sandbox.twoAccounts();
});
afterAll(() => sandbox.close());

const given = (length: number, account = bob) => [
  { _: 'inputMessageEntityMentionName', offset: 0, length, userId: userOf(account) },
];
const shown = (length: number) => [{ _: 'messageEntityMentionName', offset: 0, length, userId: bob.userId }];

it('the entities of a quote are those that readers know, and within it', async () => {
  await sandbox.send(ada, peerOf(bob), 'Hello Bob');
  const { id: replyToMsgId } = await sandbox.newest(ada, peerOf(bob));
  const quote = { _: 'inputReplyToMessage', replyToMsgId, quoteText: 'Hello' };
  const answer = (quoteEntities: object[]) => ({
    peer: peerOf(bob),
    message: 'Yes',
    replyTo: { ...quote, quoteEntities },
    randomId: aRandomId(),
  });
  await sandbox.call(ada, 'messages.sendMessage', answer(given(5)));
  expect((await sandbox.newest(bob, peerOf(ada))).replyTo).toMatchObject({ quoteEntities: shown(5) });
  const refuse = (entities: object[]) => sandbox.refusal(ada, 'messages.sendMessage', answer(entities));
  expect(await refuse(given(6))).toBe('ENTITY_BOUNDS_INVALID');
  expect(await refuse(Array(101).fill({ _: 'messageEntityBold', offset: 0, length: 1 }))).toBe(
    'ENTITIES_TOO_LONG',
  );
});

it('the entities of a poll are those that readers know, and nobody is said to have added an answer', async () => {
  const text = (words: string, length: number) => ({
    _: 'textWithEntities',
    text: words,
    entities: given(length),
  });
  const sendPoll = (length: number) => {
    const addedBy = { _: 'peerUser', userId: bob.userId };
    const answers = [
      { _: 'pollAnswer', text: text('Yes', length), option: 'MA==', addedBy, date: 1 },
      { _: 'inputPollAnswer', text: text('No', 2) },
    ];
    const poll = { _: 'poll', id: '0', hash: '0', question: text('Well?', 5), answers };
    const media = { _: 'inputMediaPoll', poll };
    return { peer: peerOf(bob), message: '', media, randomId: aRandomId() };
  };
  await sandbox.call(ada, 'messages.sendMedia', sendPoll(3));
  const { question, answers } = (await sandbox.newest(bob, peerOf(ada))).media.poll;
  expect(question.entities).toEqual(shown(5));
  expect(answers).toMatchObject([{ text: { entities: shown(3) } }, { text: { entities: shown(2) } }]);
  expect(answers[0]).not.toHaveProperty('addedBy');
  expect(await sandbox.refusal(ada, 'messages.sendMedia', sendPoll(4))).toBe('ENTITY_BOUNDS_INVALID');
});
