import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inputOf } from '../../support/sandbox/a-channel.ts';
import { aRandomId, channelOf, Sandbox, type SandboxAccount } from '../../support/sandbox/sandbox.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await Sandbox.open();
});
afterAll(() => sandbox.close());

const inTalkWith = ({ userId }: SandboxAccount) => ({
  replyTo: {
    _: 'inputReplyToMonoForum',
    monoforumPeerId: { _: 'inputPeerUser', userId, accessHash: '0' },
  },
});

describe('a monoforum', () => {
  it('keeps the talks of its users apart, and shows its administrators all of them', async () => {
    const [owner, ada] = await sandbox.twoAccounts();
    const eve = await sandbox.anAccount('Eve', { workspaceId: owner.workspaceId });
    const peer = channelOf((await sandbox.seeded(owner)).monoforumId);
    await sandbox.send(ada, peer, 'From Ada');
    const { updates } = await sandbox.watch(owner, () => sandbox.send(eve, peer, 'From Eve'));
    expect(updates.map(({ accountId }) => accountId).sort()).toEqual([owner.id, eve.id].sort());
    await sandbox.send(owner, peer, 'To Ada', inTalkWith(ada));

    const texts = async (account: SandboxAccount) =>
      (await sandbox.history(account, peer)).map(({ message }) => message);
    expect(await texts(owner)).toEqual(expect.arrayContaining(['To Ada', 'From Eve', 'From Ada']));
    expect(await texts(ada)).toEqual(['To Ada', 'From Ada']);
    expect(await texts(eve)).toEqual(['From Eve']);
    expect((await sandbox.newest(ada, peer)).savedPeerId).toEqual({ _: 'peerUser', userId: ada.userId });
  });

  it('shows nobody the messages of others, nor lets them be quoted', async () => {
    const [owner, ada] = await sandbox.twoAccounts();
    const eve = await sandbox.anAccount('Eve', { workspaceId: owner.workspaceId });
    const peer = channelOf((await sandbox.seeded(owner)).monoforumId);
    await sandbox.send(ada, peer, 'A secret');
    const { id } = await sandbox.newest(ada, peer);
    const rich = async (account: SandboxAccount) =>
      (await sandbox.call(account, 'messages.getRichMessage', { peer, id })).messages[0];
    expect(await rich(ada)).toMatchObject({ message: 'A secret' });
    expect(await rich(owner)).toMatchObject({ message: 'A secret' });
    expect(await rich(eve)).toMatchObject({ _: 'messageEmpty', id });
    const replyTo = { _: 'inputReplyToMessage', replyToMsgId: id, quoteText: 'secret' };
    const reply = { peer, message: 'Is it?', randomId: aRandomId(), replyTo };
    expect(await sandbox.refusal(eve, 'messages.sendMessage', reply)).toBe('REPLY_MESSAGE_ID_INVALID');
    await sandbox.send(ada, peer, 'It is', { replyTo });
  });

  it('lets nobody pay an invoice that a bot has sent to another', async () => {
    const [owner, eve] = await sandbox.twoAccounts();
    const shop = await sandbox.anAccount('Shop', { workspaceId: owner.workspaceId, bot: true });
    const peer = channelOf((await sandbox.seeded(owner)).monoforumId);
    const media = {
      _: 'inputMediaInvoice',
      title: 'Two tickets',
      description: 'Row 3',
      invoice: {
        _: 'invoice',
        currency: 'EUR',
        prices: [{ _: 'labeledPrice', label: 'Ticket', amount: '900' }],
      },
      payload: Buffer.from('row 3').toString('base64'),
      provider: 'sandbox',
      providerData: { _: 'dataJSON', data: '{}' },
    };
    await sandbox.call(shop, 'messages.sendMedia', { peer, media, message: '', randomId: aRandomId() });
    const { id: msgId } = await sandbox.newest(shop, peer);
    const invoice = { _: 'inputInvoiceMessage', peer, msgId };
    expect(await sandbox.refusal(eve, 'payments.getPaymentForm', { invoice })).toBe('MESSAGE_ID_INVALID');
    const form = await sandbox.call(owner, 'payments.getPaymentForm', { invoice });
    expect(form).toMatchObject({ title: 'Two tickets' });
  });

  it('says nothing of the messages of others, nor lets them be heard', async () => {
    const [owner, ada] = await sandbox.twoAccounts();
    const eve = await sandbox.anAccount('Eve', { workspaceId: owner.workspaceId });
    const { monoforumId, channelId } = await sandbox.seeded(owner);
    const [peer, channel] = [channelOf(monoforumId), inputOf(monoforumId)];
    await sandbox.send(ada, peer, 'A question');
    const { id: asked } = await sandbox.newest(ada, peer);
    const replyTo = { _: 'inputReplyToMessage', replyToMsgId: asked };
    await sandbox.sendFile(ada, peer, 'voice', { replyTo });
    const { id: voice } = await sandbox.newest(ada, peer);
    await sandbox.call(owner, 'messages.forwardMessages', {
      fromPeer: channelOf(channelId),
      id: [1],
      randomId: [aRandomId()],
      toPeer: peer,
      ...inTalkWith(ada),
    });
    const { id: post } = await sandbox.newest(ada, peer);

    const views = async (account: SandboxAccount) =>
      (await sandbox.call(account, 'messages.getMessagesViews', { peer, id: [post], increment: false }))
        .views;
    expect(await views(ada)).toMatchObject([{ views: 1 }]);
    expect((await views(eve))[0].views).toBeUndefined();
    const answered = { channel, id: [{ _: 'inputMessageReplyTo', id: voice }] };
    const { messages } = await sandbox.call(eve, 'channels.getMessages', answered);
    expect(messages).toMatchObject([{ _: 'messageEmpty', id: 0 }]);
    const heard = { channel, id: [voice] };
    const { updates } = await sandbox.watch(eve, () =>
      sandbox.call(eve, 'channels.readMessageContents', heard),
    );
    expect(updates).toEqual([]);
    await sandbox.call(owner, 'channels.readMessageContents', heard);
    expect((await sandbox.updatesOf(ada)).at(-1)).toMatchObject({ messages: [voice] });
  });

  it('has reactions of its users and administrators', async () => {
    const [owner, ada] = await sandbox.twoAccounts();
    const eve = await sandbox.anAccount('Eve', { workspaceId: owner.workspaceId });
    const peer = channelOf((await sandbox.seeded(owner)).monoforumId);
    await sandbox.send(ada, peer, 'From Ada');
    await sandbox.send(owner, peer, 'To Ada', inTalkWith(ada));
    const { id: msgId } = await sandbox.newest(ada, peer);
    const liked = { peer, msgId, reaction: [{ _: 'reactionEmoji', emoticon: '👍' }] };
    const { updates } = await sandbox.watch(ada, () => sandbox.call(ada, 'messages.sendReaction', liked));
    const savedPeerId = { userId: ada.userId };
    expect(updates.map(({ accountId }) => accountId).sort()).toEqual([owner.id, ada.id].sort());
    for (const { update } of updates) expect(update).toMatchObject({ msgId, savedPeerId });
    expect((await sandbox.newest(owner, peer)).reactions.results).toMatchObject([{ count: 1 }]);
    expect(await sandbox.refusal(eve, 'messages.sendReaction', liked)).toBe('MESSAGE_ID_INVALID');
  });

  it('is read by a user who only writes to it', async () => {
    const [owner, ada] = await sandbox.twoAccounts();
    const { monoforumId } = await sandbox.seeded(owner);
    const peer = channelOf(monoforumId);
    await sandbox.send(ada, peer, 'From Ada');
    await sandbox.send(owner, peer, 'To Ada', inTalkWith(ada));
    const { id } = await sandbox.newest(ada, peer);
    const unread = async () => {
      const peers = [{ _: 'inputDialogPeer', peer }];
      return (await sandbox.call(ada, 'messages.getPeerDialogs', { peers })).dialogs[0].unreadCount;
    };
    expect(await unread()).toBe(1);
    const read = { channel: inputOf(monoforumId), maxId: 0 };
    const { updates } = await sandbox.watch(ada, () => sandbox.call(ada, 'channels.readHistory', read));
    expect(await unread()).toBe(0);
    expect(updates.map(({ accountId, update }) => [accountId, update._, update.maxId])).toEqual([
      [ada.id, 'updateReadChannelInbox', id],
      [owner.id, 'updateReadChannelOutbox', id],
    ]);
  });

  it('wants to know of its administrators whom they answer', async () => {
    const owner = await sandbox.anAccount();
    const peer = channelOf((await sandbox.seeded(owner)).monoforumId);
    const wanted = { peer, message: 'To whom?', randomId: aRandomId() };
    expect(await sandbox.refusal(owner, 'messages.sendMessage', wanted)).toBe(
      'REPLY_TO_MONOFORUM_PEER_INVALID',
    );
    const elsewhere = { ...wanted, peer: { _: 'inputPeerSelf' }, ...inTalkWith(owner) };
    expect(await sandbox.refusal(owner, 'messages.sendMessage', elsewhere)).toBe(
      'REPLY_TO_MONOFORUM_PEER_INVALID',
    );
  });
});

it('a monoforum gets no name and no title of its own', async () => {
  const owner = await sandbox.anAccount();
  const channel = inputOf((await sandbox.seeded(owner)).monoforumId);
  for (const [method, params] of [
    ['updateUsername', { username: 'talks_with_me' }],
    ['editTitle', { title: 'Talks' }],
  ] as const)
    expect(await sandbox.refusal(owner, `channels.${method}`, { channel, ...params })).toBe(
      'CHANNEL_INVALID',
    );
});

describe('a channel post', () => {
  it('is outgoing for its author only', async () => {
    const [ada, bob] = await sandbox.twoAccounts();
    const { channelId } = await sandbox.seeded(ada);
    await sandbox.letIn(bob, channelId);
    await sandbox.send(ada, channelOf(channelId), 'News');
    const [own, theirs] = await Promise.all(
      [ada, bob].map((account) => sandbox.newest(account, channelOf(channelId))),
    );
    expect([own.out, theirs.out]).toEqual([true, false]);
    expect(own.fromId).toBeUndefined();
  });

  it('with a voice message is unheard in a supergroup, and heard by each on its own', async () => {
    const [ada, bob] = await sandbox.twoAccounts();
    const { channelId, forumId } = await sandbox.seeded(ada);
    for (const id of [channelId, forumId]) await sandbox.letIn(bob, id);
    await sandbox.sendFile(ada, channelOf(channelId), 'voice');
    await sandbox.sendFile(ada, channelOf(forumId), 'voice');
    expect((await sandbox.newest(bob, channelOf(channelId))).mediaUnread).toBe(false);
    expect((await sandbox.newest(bob, channelOf(forumId))).mediaUnread).toBe(true);
  });
});

describe('a strict account', () => {
  it('may name a peer it has no access hash of by a message it has seen it in', async () => {
    const [ada, bob] = await sandbox.twoAccounts();
    const strict = await sandbox.anAccount('Strict', { workspaceId: ada.workspaceId, strictPeers: true });
    const group = await sandbox.aGroup(ada, strict, bob);
    await sandbox.send(bob, group, 'Here I am');
    const { id: msgId } = await sandbox.newest(strict, group);
    const named = (userId: number, id = msgId) => ({
      _: 'inputPeerUserFromMessage',
      peer: group,
      msgId: id,
      userId,
    });
    await sandbox.send(strict, named(bob.userId), 'I see you');
    const send = (peer: object) =>
      sandbox.refusal(strict, 'messages.sendMessage', { peer, message: 'Hello', randomId: aRandomId() });
    expect(await send(named(ada.userId))).toBe('PEER_ID_INVALID');
    expect(await send(named(bob.userId, 9_999))).toBe('MSG_ID_INVALID');
  });
});
