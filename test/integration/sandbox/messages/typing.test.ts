import { afterAll, beforeAll, expect, it } from 'vitest';
import { channelOf, peerOf, Sandbox, type SandboxAccount, userOf } from '../../../support/sandbox/sandbox.ts';

let sandbox: Sandbox;
let ada: SandboxAccount;
let bob: SandboxAccount;
beforeAll(async () => {
  sandbox = await Sandbox.open();
  [ada, bob] = await sandbox.twoAccounts();
});
afterAll(() => sandbox.close());

const TYPING = { _: 'sendMessageTypingAction' };

async function heard(params: object) {
  const { updates } = await sandbox.watch(ada, () =>
    sandbox.call(ada, 'messages.setTyping', { action: TYPING, ...params }),
  );
  return updates.map(({ accountId, update }) => [accountId, update]);
}

it('tells the other side of a chat, and everybody else in a group', async () => {
  expect(await heard({ peer: peerOf(bob) })).toEqual([
    [bob.id, { _: 'updateUserTyping', userId: ada.userId, action: TYPING }],
  ]);
  const group = await sandbox.aGroup(ada, bob);
  const fromId = { _: 'peerUser', userId: ada.userId };
  expect(await heard({ peer: group })).toEqual([
    [bob.id, { _: 'updateChatUserTyping', chatId: group.chatId, fromId, action: TYPING }],
  ]);
  expect(await heard({ peer: { _: 'inputPeerSelf' } })).toEqual([]);
});

it('says in which topic of a forum it is, and nothing to the readers of a broadcast channel', async () => {
  const { forumId, channelId } = await sandbox.seeded(ada);
  await sandbox.letIn(bob, forumId);
  await sandbox.letIn(bob, channelId);
  const topic = await sandbox.call(ada, 'messages.createForumTopic', {
    peer: channelOf(forumId),
    title: 'Topic',
    randomId: '17',
  });
  const topMsgId = topic.updates[0].id;
  const told = await heard({ peer: channelOf(forumId), topMsgId });
  expect(told.filter(([accountId]) => accountId === bob.id)).toMatchObject([
    [bob.id, { _: 'updateChannelUserTyping', channelId: forumId, topMsgId }],
  ]);
  expect(await heard({ peer: channelOf(channelId) })).toEqual([]);
});

it('shows a draft with rich content as it will be', async () => {
  const richMessage = { _: 'inputRichMessageMarkdown', markdown: '# Title' };
  const action = { _: 'inputSendMessageRichMessageDraftAction', randomId: '7', richMessage };
  expect(await heard({ peer: peerOf(bob), action })).toMatchObject([
    [
      bob.id,
      {
        action: {
          _: 'sendMessageRichMessageDraftAction',
          randomId: '7',
          richMessage: { _: 'richMessage', blocks: [{ _: 'pageBlockHeading1' }] },
        },
      },
    ],
  ]);
});

it('shows the entities of a draft in the form for readers', async () => {
  const entities = [{ _: 'inputMessageEntityMentionName', offset: 0, length: 3, userId: userOf(bob) }];
  const draft = (given: object[]) => ({
    _: 'sendMessageTextDraftAction',
    randomId: '1',
    text: { _: 'textWithEntities', text: 'Bob', entities: given },
  });
  const [[, { action }] = []] = await heard({ peer: peerOf(bob), action: draft(entities) });
  expect(action.text.entities).toEqual([
    { _: 'messageEntityMentionName', offset: 0, length: 3, userId: bob.userId },
  ]);
  const beyond = { peer: peerOf(bob), action: draft([{ ...entities[0], length: 4 }]) };
  expect(await sandbox.refusal(ada, 'messages.setTyping', beyond)).toBe('ENTITY_BOUNDS_INVALID');
});

it('refuses who may not write, and more than everybody would want to hear', async () => {
  const refuse = (account: SandboxAccount, peer: object, action: object = TYPING) =>
    sandbox.refusal(account, 'messages.setTyping', { peer, action });
  const { channelId, publicChannelId } = await sandbox.seeded(ada);
  expect(await refuse(bob, channelOf(publicChannelId))).toBe('CHAT_WRITE_FORBIDDEN');
  expect(await refuse(bob, channelOf(channelId))).toBe('CHAT_ADMIN_REQUIRED');
  const long = { _: 'sendMessageEmojiInteractionSeen', emoticon: 'x'.repeat(8_001) };
  expect(await refuse(ada, peerOf(bob), long)).toBe('MESSAGE_TOO_LONG');
  await sandbox.call(ada, 'messages.setTyping', {
    peer: peerOf(bob),
    action: { ...long, emoticon: 'x'.repeat(7_000) },
  });
  await sandbox.call(bob, 'contacts.block', { id: peerOf(ada) });
  expect(await refuse(ada, peerOf(bob))).toBe('USER_IS_BLOCKED');
});
