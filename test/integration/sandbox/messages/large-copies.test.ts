import { afterAll, beforeAll, expect, it } from 'vitest';
import { stateKey } from '../../../../src/redis/keys.ts';
import { messagesKey } from '../../../../workers/sandbox/model/boxes/keys.ts';
import { userBox } from '../../../../workers/sandbox/model/common/keys.ts';
import { aChannel } from '../../../support/sandbox/a-channel.ts';
import { readCostOf, refusedCostOf } from '../../../support/sandbox/read-cost.ts';
import { aRandomId, Sandbox, type SandboxAccount, userOf } from '../../../support/sandbox/sandbox.ts';

const MIB = 1_024 * 1_024;
// As large as a rich message between two may be.
const LARGE = 137_000;

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await Sandbox.open();
});
afterAll(() => sandbox.close());

/** A group of so many, with a message of this length, as its creator has it. */
async function groupWith(length: number, members: number) {
  const ada = await sandbox.anAccount();
  const others = await accounts(ada, members - 1);
  const peer = await sandbox.aGroup(ada, ...others);
  await sandbox.send(ada, peer, 'Large');
  const { id } = await sandbox.newest(ada, peer);
  for (const account of [ada, ...others])
    await enlarge(account, (await sandbox.newest(account, peer)).id, length);
  return { ada, others, peer, id: id as number };
}

function accounts({ workspaceId }: SandboxAccount, count: number): Promise<SandboxAccount[]> {
  return Promise.all(Array.from({ length: count }, (_, i) => sandbox.anAccount(`${i}`, { workspaceId })));
}

async function enlarge(account: SandboxAccount, id: number, length: number): Promise<void> {
  const key = stateKey(account.workspaceId, messagesKey(userBox(account.userId)));
  const raw = (await sandbox.redis.hget(key, String(id))) as string;
  await sandbox.redis.hset(key, String(id), raw.replace('"Large"', `"${'x'.repeat(length)}"`));
}

const reaction = [{ _: 'reactionEmoji', emoticon: '👍' }];

it('a message can be reacted to and pinned, however many have joined and got copies of it', async () => {
  for (const [length, most] of [
    [LARGE, 2],
    [40_000, 10],
    [1_000, 14],
  ] as const) {
    const { ada, peer, id } = await groupWith(length, 2);
    const late = await accounts(ada, 12);
    for (const account of late) {
      const added = { chatId: peer.chatId, userId: userOf(account), fwdLimit: 100 };
      await sandbox.call(ada, 'messages.addChatUser', added);
    }
    const seen = await Promise.all(late.map((account) => sandbox.history(account, peer)));
    const have = seen.filter((messages) => messages.some(({ message = '' }) => message.length === length));
    expect(have).toHaveLength(most - 2);
    const { updates } = await sandbox.watch(ada, () =>
      sandbox.call(ada, 'messages.sendReaction', { peer, msgId: id, reaction }),
    );
    expect(updates).toHaveLength(most);
    await sandbox.call(ada, 'messages.updatePinnedMessage', { peer, id });
    await sandbox.call(ada, 'messages.unpinAllMessages', { peer });
  }
});

it('many members of the largest group react to a long message', async () => {
  const { ada, others, peer } = await groupWith(3_000, 90);
  for (const account of others.slice(0, 12)) {
    const { id: msgId } = await sandbox.newest(account, peer);
    await sandbox.call(account, 'messages.sendReaction', { peer, msgId, reaction });
  }
  const seen = async (account: SandboxAccount) => (await sandbox.newest(account, peer)).reactions;
  const { results, recentReactions } = await seen(ada);
  expect(results).toMatchObject([{ count: 12 }]);
  expect(recentReactions).toHaveLength(12);
  const [first, last] = [others[0], others[88]] as [SandboxAccount, SandboxAccount];
  expect((await seen(first)).results).toMatchObject([{ count: 12, chosenOrder: 1 }]);
  expect((await seen(last)).results[0].chosenOrder).toBeUndefined();
});

it('a reaction and a pin that are accepted can be taken back, however many have reacted', async () => {
  const { ada, others, peer, id } = await groupWith(3_000, 90);
  await sandbox.call(ada, 'messages.updatePinnedMessage', { peer, id });
  // The pin has a message of its own.
  const idsOf = async (account: SandboxAccount) =>
    (await sandbox.history(account, peer)).find(({ message }) => message?.length === 3_000)?.id as number;
  const react = async (account: SandboxAccount, given: object[]) =>
    sandbox.call(account, 'messages.sendReaction', { peer, msgId: await idsOf(account), reaction: given });
  const reacted: SandboxAccount[] = [];
  let refusal = '';
  for (const account of others.slice(0, 40)) {
    const params = { peer, msgId: await idsOf(account), reaction };
    refusal = (await sandbox.call(account, 'messages.sendReaction', params).then(
      () => '',
      ({ code }) => code,
    )) as string;
    if (refusal !== '') break;
    reacted.push(account);
  }
  expect([refusal, reacted.length > 12]).toEqual(['MESSAGE_TOO_LONG', true]);
  await react(reacted[0] as SandboxAccount, []);
  await react(reacted[1] as SandboxAccount, [{ _: 'reactionEmoji', emoticon: '🔥' }]);
  const { offset } = await sandbox.call(ada, 'messages.unpinAllMessages', { peer });
  expect(offset).toBe(0);
  for (const account of reacted.slice(1)) await react(account, []);
  expect((await sandbox.history(ada, peer)).find((one) => one.id === id)?.reactions).toBeUndefined();
});

it('the longest text to the largest group answers with a quote, and can be pinned', async () => {
  const { ada, peer, id } = await groupWith(3_000, 90);
  for (const quoted of [200, 1_024]) {
    const quoteText = 'x'.repeat(quoted);
    const replyTo = { _: 'inputReplyToMessage', replyToMsgId: id, quoteText };
    await sandbox.send(ada, peer, 'y'.repeat(4_096), { replyTo });
    const { id: msgId, replyTo: header } = await sandbox.newest(ada, peer);
    expect(header.quoteText).toBe(quoteText);
    await sandbox.call(ada, 'messages.updatePinnedMessage', { peer, id: msgId, silent: true });
    await sandbox.call(ada, 'messages.updatePinnedMessage', { peer, id: msgId, unpin: true });
  }
});

it('what could not be sent to so many is not scheduled', async () => {
  const { ada, others, peer, id } = await groupWith(20, 90);
  const { peer: channel, id: channelId } = await aChannel(sandbox, ada, { megagroup: true });
  for (const other of others) await sandbox.letIn(other, channelId);
  const text = (length: number) => ({ _: 'textPlain', text: 'x'.repeat(length) });
  const rich = (length: number) => ({
    _: 'inputRichMessage',
    blocks: [{ _: 'pageBlockParagraph', text: text(length) }],
  });
  const scheduleDate = Math.floor(Date.now() / 1_000) + 3_600;
  const replyTo = { _: 'inputReplyToMessage', replyToMsgId: id, quoteText: 'x' };
  const send = (to: object, length: number, more: object) => {
    const params = { peer: to, message: '', richMessage: rich(length), randomId: aRandomId(), ...more };
    return sandbox.call(ada, 'messages.sendMessage', params).then(
      () => 'OK',
      ({ code }) => code,
    );
  };
  // Sent at once and scheduled, the same ones are refused.
  for (const [to, length, code] of [
    [peer, 3_500, 'OK'],
    [peer, 4_500, 'MESSAGE_TOO_LONG'],
    [channel, 8_500, 'OK'],
    [channel, 9_500, 'MESSAGE_TOO_LONG'],
    [{ _: 'inputPeerSelf' }, 9_500, 'OK'],
  ] as const) {
    for (const more of [{}, { scheduleDate }])
      expect([length, await send(to, length, more)]).toEqual([length, code]);
  }
  await send(peer, 3_500, { scheduleDate, replyTo });
  for (const of of [peer, channel]) {
    const { messages } = await sandbox.call(ada, 'messages.getScheduledHistory', { peer: of, hash: '0' });
    const ids = messages.map((one: { id: number }) => one.id);
    for (const one of ids) await sandbox.call(ada, 'messages.sendScheduledMessages', { peer: of, id: [one] });
    expect(ids.length).toBe(of === peer ? 2 : 1);
  }
});

it('an edit that does not fit one commit with the message as it was is refused', async () => {
  const { ada, peer, id } = await groupWith(9_000, 90);
  const edit = (length: number) => ({ peer, id, message: 'y'.repeat(length) });
  expect(await sandbox.refusal(ada, 'messages.editMessage', edit(2_000))).toBe('MESSAGE_TOO_LONG');
  await sandbox.call(ada, 'messages.editMessage', edit(10));
  await sandbox.call(ada, 'messages.editMessage', edit(2_000));
});

it('a message with more copies than one commit holds is refused before they are read', async () => {
  const { ada, peer, id } = await groupWith(LARGE, 20);
  const asked: [name: string, params: Record<string, unknown>][] = [
    ['messages.sendReaction', { peer, msgId: id, reaction }],
    ['messages.updatePinnedMessage', { peer, id }],
    ['messages.editMessage', { peer, id, message: 'Short' }],
    ['messages.deleteMessages', { id: [id], revoke: true }],
  ];
  for (const [name, params] of asked) {
    const cost = await refusedCostOf(sandbox, ada, name, params);
    expect([name, cost.code]).toEqual([name, 'MESSAGE_TOO_LONG']);
    expect(cost.bytes).toBeLessThan(0.5 * MIB);
  }
  await sandbox.call(ada, 'messages.deleteMessages', { id: [id] });
});

it('of long messages, only the newest are looked through for a new member', async () => {
  const { ada, peer } = await groupWith(LARGE, 2);
  for (let n = 0; n < 30; n += 1) {
    await sandbox.send(ada, peer, 'Large');
    await enlarge(ada, (await sandbox.newest(ada, peer)).id, LARGE);
  }
  await sandbox.send(ada, peer, 'Short');
  const [late] = (await accounts(ada, 1)) as [SandboxAccount];
  const added = { chatId: peer.chatId, userId: userOf(late), fwdLimit: 100 };
  expect((await readCostOf(sandbox, ada, 'messages.addChatUser', added)).bytes).toBeLessThan(2.5 * MIB);
  await sandbox.call(ada, 'messages.addChatUser', added);
  expect((await sandbox.history(late, peer)).map(({ message }) => message)).toContain('Short');
});
