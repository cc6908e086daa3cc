import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aRandomId, channelOf, peerOf, Sandbox, userOf } from '../../support/sandbox/sandbox.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await Sandbox.open();
});
afterAll(() => sandbox.close());

describe('messages.sendMessage', () => {
  it('puts a copy into both boxes and tells both accounts', async () => {
    const [ada, bob] = await sandbox.twoAccounts();
    const { result, updates } = await sandbox.watch(ada, () => sandbox.send(ada, peerOf(bob), 'Hello'));
    expect(updates.map(({ kind, accountId }) => [kind, accountId])).toEqual([
      ['RawUpdateNewMessage', ada.id],
      ['RawUpdateNewMessage', bob.id],
    ]);
    const own = await sandbox.newest(ada, peerOf(bob));
    const theirs = await sandbox.newest(bob, peerOf(ada));
    expect(own).toMatchObject({
      message: 'Hello',
      out: true,
      peerId: { userId: bob.userId },
    });
    expect(theirs).toMatchObject({
      message: 'Hello',
      out: false,
      peerId: { userId: ada.userId },
    });
    expect(own).toMatchObject(updates[0]?.update.message);
    expect(theirs).toMatchObject(updates[1]?.update.message);
    expect(result).toMatchObject({
      id: own.id,
      pts: updates[0]?.update.pts,
      ptsCount: 1,
    });
  });

  it('keeps every text as it was sent, but for white space at its ends', async () => {
    const [ada, bob] = await sandbox.twoAccounts();
    const texts = [
      '100%2 sure, \u0001 1 \u0002, "}\\',
      '\u00011\u0002',
      '\u0000',
      ' \n a  b\n\n',
      '%1 %%',
      '😀‮',
    ];
    const check = async (text: string) => {
      if (text.trim() === '') return;
      await sandbox.send(ada, peerOf(bob), text);
      expect((await sandbox.newest(bob, peerOf(ada))).message).toBe(text.trim());
    };
    for (const text of texts) await check(text);
    await fc.assert(fc.asyncProperty(fc.string({ unit: 'binary', minLength: 1, maxLength: 200 }), check), {
      numRuns: 100,
    });
  });

  it('sends to Saved Messages once, as the thread of notes to oneself', async () => {
    const ada = await sandbox.anAccount();
    const { result, updates } = await sandbox.watch(ada, () =>
      sandbox.send(ada, { _: 'inputPeerSelf' }, 'A note'),
    );
    expect(updates).toHaveLength(1);
    const note = await sandbox.newest(ada, { _: 'inputPeerEmpty' });
    expect(note).toMatchObject({
      message: 'A note',
      out: false,
      savedPeerId: { userId: ada.userId },
    });
    expect(result).toMatchObject({
      _: 'updates',
      updates: [
        { _: 'updateMessageID', id: note.id },
        { _: 'updateNewMessage', message: { id: note.id } },
      ],
      users: [{ id: ada.userId, self: true }],
    });
  });

  it('sends once for each randomId', async () => {
    const [ada, bob] = await sandbox.twoAccounts();
    const params = {
      peer: peerOf(bob),
      message: 'Once',
      randomId: aRandomId(),
    };
    const sent = [1, 2, 3].map(() =>
      sandbox.call(ada, 'messages.sendMessage', params).then(
        () => 'sent',
        (error) => error.code,
      ),
    );
    expect((await Promise.all(sent)).sort()).toEqual(['RANDOM_ID_DUPLICATE', 'RANDOM_ID_DUPLICATE', 'sent']);
    expect(await sandbox.refusal(ada, 'messages.sendMessage', params)).toBe('RANDOM_ID_DUPLICATE');
    expect(await sandbox.history(bob, peerOf(ada))).toHaveLength(1);
  });

  it('refuses an id that was drawn for a call once somebody has been told it', async () => {
    const [ada, bob] = await sandbox.twoAccounts();
    const peer = await sandbox.aGroup(ada, bob);
    const sent = await sandbox.call(ada, 'messages.sendMessage', { peer, message: 'Hello' });
    const { randomId } = sent.updates[0];
    expect(await sandbox.refusal(ada, 'messages.sendMessage', { peer, message: 'Hello', randomId })).toBe(
      'RANDOM_ID_DUPLICATE',
    );
  });

  it('keeps the ids of a day for two days from the first on', async () => {
    const [ada, bob] = await sandbox.twoAccounts();
    await sandbox.call(ada, 'messages.sendMessage', { peer: peerOf(bob), message: 'With none' });
    const isOfAda = (name: string) =>
      name.includes(ada.workspaceId) && name.includes(`random:${ada.userId}:`);
    const ofAda = async () => (await sandbox.redis.keys('*')).filter(isOfAda);
    expect(await ofAda()).toEqual([]);
    await sandbox.send(ada, peerOf(bob), 'One');
    const [name = ''] = await ofAda();
    const expiry = await sandbox.redis.pexpiretime(name);
    expect(expiry).toBeGreaterThan(Date.now() + 48 * 3_600_000);
    await sandbox.send(ada, peerOf(bob), 'Two');
    expect(await sandbox.redis.pexpiretime(name)).toBe(expiry);
  });

  it('gives each copy of a reply the id its own box knows the answered message by', async () => {
    const [ada, bob] = await sandbox.twoAccounts();
    for (const text of ['one', 'two']) await sandbox.send(bob, { _: 'inputPeerSelf' }, text);
    await sandbox.send(ada, peerOf(bob), 'Question?');
    const question = await sandbox.newest(bob, peerOf(ada));
    await sandbox.send(bob, peerOf(ada), 'Answer', {
      replyTo: {
        _: 'inputReplyToMessage',
        replyToMsgId: question.id,
        quoteText: 'Quest',
      },
    });
    const asked = (await sandbox.history(ada, peerOf(bob)))[1];
    expect(asked.id).not.toBe(question.id);
    const header = { _: 'messageReplyHeader', quote: true, quoteText: 'Quest' };
    expect((await sandbox.newest(bob, peerOf(ada))).replyTo).toMatchObject({
      ...header,
      replyToMsgId: question.id,
    });
    expect((await sandbox.newest(ada, peerOf(bob))).replyTo).toMatchObject({
      ...header,
      replyToMsgId: asked.id,
    });
  });

  it('refuses replies to what is not there', async () => {
    const [ada, bob] = await sandbox.twoAccounts();
    await sandbox.send(ada, { _: 'inputPeerSelf' }, 'Elsewhere');
    const elsewhere = await sandbox.newest(ada, { _: 'inputPeerSelf' });
    const reply = (replyTo: object) =>
      sandbox.refusal(ada, 'messages.sendMessage', {
        peer: peerOf(bob),
        message: 'Answer',
        randomId: aRandomId(),
        replyTo: { _: 'inputReplyToMessage', ...replyTo },
      });
    expect(await reply({ replyToMsgId: 10_000 })).toBe('REPLY_MESSAGE_ID_INVALID');
    expect(await reply({ replyToMsgId: elsewhere.id })).toBe('REPLY_MESSAGE_ID_INVALID');
    await sandbox.send(ada, peerOf(bob), 'Here');
    const { id } = await sandbox.newest(ada, peerOf(bob));
    expect(await reply({ replyToMsgId: id, quoteText: 'There' })).toBe('QUOTE_TEXT_INVALID');
    expect(await reply({ replyToMsgId: id, replyToPeerId: { _: 'inputPeerSelf' } })).toBe(
      'REPLY_MESSAGE_ID_INVALID',
    );
  });

  it('answers a message of another conversation, and shows whose it was', async () => {
    const [ada, bob] = await sandbox.twoAccounts();
    const eve = await sandbox.anAccount('Eve', { workspaceId: ada.workspaceId });
    await sandbox.send(eve, peerOf(ada), 'Is it true?');
    const [group, secret] = [await sandbox.aGroup(ada, bob, eve), await sandbox.aGroup(ada, eve)];
    await sandbox.send(eve, group, 'I ask all');
    await sandbox.send(ada, secret, 'Keep it', { noforwards: true });
    const asked = await sandbox.newest(ada, peerOf(eve));
    const answer = async (peer: object, message: object) => {
      const replyTo = { _: 'inputReplyToMessage', replyToPeerId: peer, ...message };
      await sandbox.send(ada, peerOf(bob), 'Yes', { replyTo });
      const [own, theirs] = [await sandbox.newest(ada, peerOf(bob)), await sandbox.newest(bob, peerOf(ada))];
      return [own.replyTo, theirs.replyTo];
    };
    const replyFrom = { _: 'messageFwdHeader', fromId: { _: 'peerUser', userId: eve.userId } };
    const [own, theirs] = await answer(peerOf(eve), { replyToMsgId: asked.id, quoteText: 'true' });
    expect(own).toMatchObject({
      replyToMsgId: asked.id,
      replyToPeerId: { _: 'peerUser', userId: eve.userId },
      replyFrom,
      quoteText: 'true',
    });
    expect(theirs).toMatchObject({ replyFrom, quoteText: 'true' });
    expect([theirs.replyToMsgId, theirs.replyToPeerId]).toEqual([undefined, undefined]);
    const [mine, known] = [await sandbox.newest(ada, group), await sandbox.newest(bob, group)];
    expect(await answer(group, { replyToMsgId: mine.id })).toMatchObject([
      { replyToMsgId: mine.id, replyToPeerId: { chatId: group.chatId }, replyFrom },
      { replyToMsgId: known.id, replyToPeerId: { chatId: group.chatId }, replyFrom },
    ]);
    const { id: replyToMsgId } = await sandbox.newest(ada, secret);
    const replyTo = { _: 'inputReplyToMessage', replyToPeerId: secret, replyToMsgId };
    const refused = { peer: peerOf(bob), message: 'No', randomId: aRandomId(), replyTo };
    expect(await sandbox.refusal(ada, 'messages.sendMessage', refused)).toBe('CHAT_FORWARDS_RESTRICTED');
  });

  it('keeps entities, turns mentions by name into what readers see, and finds usernames', async () => {
    const [ada, bob] = await sandbox.twoAccounts();
    const text = `Hi Bob, @${bob.username}, not me@${bob.username} but @somebody_else`;
    await sandbox.send(ada, peerOf(bob), text, {
      entities: [
        { _: 'messageEntityBold', offset: 0, length: 2 },
        {
          _: 'inputMessageEntityMentionName',
          offset: 3,
          length: 3,
          userId: userOf(bob),
        },
      ],
    });
    const { entities, mentioned } = await sandbox.newest(bob, peerOf(ada));
    expect(mentioned).toBe(false);
    expect(entities).toEqual([
      { _: 'messageEntityBold', offset: 0, length: 2 },
      {
        _: 'messageEntityMentionName',
        offset: 3,
        length: 3,
        userId: bob.userId,
      },
      { _: 'messageEntityMention', offset: 8, length: bob.username.length + 1 },
      {
        _: 'messageEntityMention',
        offset: text.indexOf('@somebody_else'),
        length: 14,
      },
    ]);
  });

  it('finds addresses, numbers, tags and commands, but not in code', async () => {
    const [ada, bob] = await sandbox.twoAccounts();
    const text =
      '  See example.com/a_(b), https://a.example/?q=1. Mail ada@example.com or call +1 (555) 010-99-88: ' +
      '#tag №1 #1 $USD /start@shop_bot either/or readme.txt 12.50 or 4111 1111 1111 1111 secret.com ';
    const secret = { offset: text.indexOf('secret'), length: 'secret.com '.length };
    await sandbox.send(ada, peerOf(bob), text, { entities: [{ _: 'messageEntityCode', ...secret }] });
    const { message, entities } = await sandbox.newest(bob, peerOf(ada));
    expect(message).toBe(text.trim());
    type Found = { _: string; offset: number; length: number };
    expect(
      entities.map(({ _, offset, length }: Found) => [_.slice(13), message.slice(offset, offset + length)]),
    ).toEqual([
      ['Url', 'example.com/a_(b)'],
      ['Url', 'https://a.example/?q=1'],
      ['Email', 'ada@example.com'],
      ['Phone', '+1 (555) 010-99-88'],
      ['Hashtag', '#tag'],
      ['Cashtag', '$USD'],
      ['BotCommand', '/start@shop_bot'],
      ['BankCard', '4111 1111 1111 1111'],
      ['Code', 'secret.com'],
    ]);
  });

  it('keeps a keyboard of a bot, and none of a user', async () => {
    const [ada, bob] = await sandbox.twoAccounts();
    const shop = await sandbox.anAccount('Shop', { workspaceId: ada.workspaceId, bot: true });
    const button = { _: 'keyboardButtonUrl', text: 'Open', url: 'https://a.example' };
    const replyMarkup = {
      _: 'replyInlineMarkup',
      rows: [{ _: 'keyboardButtonRow', buttons: [button] }],
    };
    for (const sender of [ada, shop]) await sandbox.send(sender, peerOf(bob), 'Choose', { replyMarkup });
    expect((await sandbox.newest(bob, peerOf(ada))).replyMarkup).toBeUndefined();
    expect((await sandbox.newest(bob, peerOf(shop))).replyMarkup).toMatchObject(replyMarkup);
  });

  it('shows the buttons of a keyboard without what only the bot may know', async () => {
    const [ada, bob] = await sandbox.twoAccounts();
    const shop = await sandbox.anAccount('Shop', { workspaceId: ada.workspaceId, bot: true });
    const inputUser = (userId: number) => ({ _: 'inputUser', userId, accessHash: '12345' });
    const send = (buttons: object[]) => ({
      peer: peerOf(bob),
      message: 'Choose',
      replyMarkup: {
        _: 'replyInlineMarkup',
        rows: buttons.map((one) => ({ _: 'keyboardButtonRow', buttons: [one] })),
      },
    });
    const url = 'https://a.example';
    const login = { _: 'inputKeyboardButtonUrlAuth', text: 'Log in', url, bot: { _: 'inputUserSelf' } };
    const profile = { _: 'inputKeyboardButtonUserProfile', text: 'Ada', userId: inputUser(ada.userId) };
    await sandbox.call(shop, 'messages.sendMessage', send([login, profile, login]));
    const { replyMarkup } = await sandbox.newest(bob, peerOf(shop));
    expect(replyMarkup.rows.map(({ buttons }: { buttons: object[] }) => buttons[0])).toEqual([
      { _: 'keyboardButtonUrlAuth', text: 'Log in', url, buttonId: 1 },
      { _: 'keyboardButtonUserProfile', text: 'Ada', userId: ada.userId },
      { _: 'keyboardButtonUrlAuth', text: 'Log in', url, buttonId: 3 },
    ]);
    const refusal = (button: object) => sandbox.refusal(shop, 'messages.sendMessage', send([button]));
    expect(await refusal({ ...profile, userId: inputUser(999_999_999) })).toBe('USER_ID_INVALID');
    expect(await refusal({ ...login, bot: inputUser(ada.userId) })).toBe('BOT_INVALID');
  });

  it('refuses buttons that a keyboard cannot have, and links that a button cannot open', async () => {
    const [ada] = await sandbox.twoAccounts();
    const shop = await sandbox.anAccount('Shop', { workspaceId: ada.workspaceId, bot: true });
    const params = (_: string, button: object) => ({
      peer: peerOf(ada),
      message: 'Choose',
      replyMarkup: { _, rows: [{ _: 'keyboardButtonRow', buttons: [{ text: 'Button', ...button }] }] },
    });
    const refusal = (button: object, keyboard = 'replyInlineMarkup') =>
      sandbox.refusal(shop, 'messages.sendMessage', params(keyboard, button));
    for (const _ of ['keyboardButton', 'keyboardButtonRequestPhone', 'keyboardButtonRequestPoll'])
      expect([_, await refusal({ _ })]).toEqual([_, 'BUTTON_TYPE_INVALID']);
    const link = (url: string) => ({ _: 'keyboardButtonUrl', url });
    const callback = { _: 'keyboardButtonCallback', data: 'MQ==' };
    for (const button of [link('https://a.example'), callback])
      expect(await refusal(button, 'replyKeyboardMarkup')).toBe('BUTTON_TYPE_INVALID');
    for (const url of ['', 'not a link', 'mailto:ada@example.com', 'ftp://a.example', 'http://localhost:80'])
      expect([url, await refusal(link(url))]).toEqual([url, 'BUTTON_URL_INVALID']);
    const app = (url: string) => ({ _: 'keyboardButtonWebView', url });
    expect(await refusal(app('http://a.example'))).toBe('BUTTON_URL_INVALID');
    for (const url of ['a.example/b?c', 'http://1.2.3.4:80', 'tg://user?id=1', 'https://пример.рф'])
      await sandbox.call(shop, 'messages.sendMessage', params('replyInlineMarkup', link(url)));
    await sandbox.call(shop, 'messages.sendMessage', params('replyInlineMarkup', app('https://a.example')));
    await sandbox.call(shop, 'messages.sendMessage', params('replyKeyboardMarkup', { _: 'keyboardButton' }));
    const edit = { ...params('replyInlineMarkup', { _: 'keyboardButton' }), id: 1 };
    const { updates } = await sandbox.send(shop, { _: 'inputPeerSelf' }, 'Mine');
    const own = { ...edit, peer: { _: 'inputPeerSelf' }, id: updates[0].id };
    expect(await sandbox.refusal(shop, 'messages.editMessage', own)).toBe('BUTTON_TYPE_INVALID');
  });

  it.each([
    ['MESSAGE_EMPTY', { message: '' }],
    ['MESSAGE_EMPTY', { message: ' \n\t ' }],
    ['MESSAGE_TOO_LONG', { message: 'x'.repeat(4_097) }],
    ['SCHEDULE_DATE_INVALID', { scheduleDate: -1 }],
    ['ENTITY_BOUNDS_INVALID', { entities: [{ _: 'messageEntityBold', offset: 0, length: 5 }] }],
    ['ENTITY_BOUNDS_INVALID', { entities: [{ _: 'messageEntityBold', offset: -1, length: 1 }] }],
    [
      'ENTITIES_TOO_LONG',
      {
        entities: Array(101).fill({
          _: 'messageEntityBold',
          offset: 0,
          length: 1,
        }),
      },
    ],
    [
      'ENTITY_MENTION_USER_INVALID',
      {
        entities: [
          {
            _: 'inputMessageEntityMentionName',
            offset: 0,
            length: 1,
            userId: { _: 'inputUser', userId: 9, accessHash: '0' },
          },
        ],
      },
    ],
    ['PEER_ID_INVALID', { peer: { _: 'inputPeerUser', userId: 4, accessHash: '0' } }],
    ['CHAT_ID_INVALID', { peer: { _: 'inputPeerChat', chatId: 999_999 } }],
    ['CHANNEL_INVALID', { peer: { _: 'inputPeerChannel', channelId: 4, accessHash: '0' } }],
  ])('refuses with %s', async (error, params) => {
    const ada = await sandbox.anAccount();
    const wanted = {
      peer: { _: 'inputPeerSelf' },
      message: 'Text',
      randomId: aRandomId(),
      ...params,
    };
    expect(await sandbox.refusal(ada, 'messages.sendMessage', wanted)).toBe(error);
  });

  it('refuses to write to a deleted user, and a bot to write to a bot', async () => {
    const [ada, bob] = await sandbox.twoAccounts();
    await sandbox.order(bob, 'disconnectAccount');
    const to = (account: typeof ada) => ({
      peer: peerOf(account),
      message: 'Hello',
      randomId: aRandomId(),
    });
    expect(await sandbox.refusal(ada, 'messages.sendMessage', to(bob))).toBe('INPUT_USER_DEACTIVATED');
    const bots = [1, 2].map(() => sandbox.anAccount('Bot', { workspaceId: ada.workspaceId, bot: true }));
    const [one, two] = (await Promise.all(bots)) as [typeof ada, typeof ada];
    expect(await sandbox.refusal(one, 'messages.sendMessage', to(two))).toBe('USER_IS_BOT');
  });

  it('gives everybody in a basic group a copy, and tells who is mentioned', async () => {
    const [ada, bob] = await sandbox.twoAccounts();
    const eve = await sandbox.anAccount('Eve', {
      workspaceId: ada.workspaceId,
    });
    const group = await sandbox.aGroup(ada, bob, eve);
    const { updates } = await sandbox.watch(ada, () =>
      sandbox.send(ada, group, `@${bob.username}, come here`),
    );
    expect(updates.map(({ accountId }) => accountId).sort()).toEqual([ada.id, bob.id, eve.id].sort());
    const seenBy = async (account: typeof ada) => sandbox.newest(account, group);
    expect(await seenBy(bob)).toMatchObject({
      mentioned: true,
      mediaUnread: true,
      out: false,
    });
    expect(await seenBy(eve)).toMatchObject({
      mentioned: false,
      mediaUnread: false,
      fromId: { userId: ada.userId },
    });
    expect(await seenBy(ada)).toMatchObject({ mentioned: false, out: true });
  });

  it('answers for a group with the message, and the users and chats in it', async () => {
    const [ada, bob] = await sandbox.twoAccounts();
    const group = await sandbox.aGroup(ada, bob);
    const randomId = aRandomId();
    const result = await sandbox.send(ada, group, 'Hello', { randomId });
    const { id } = await sandbox.newest(ada, group);
    expect(result.updates).toMatchObject([
      { _: 'updateMessageID', id, randomId },
      { _: 'updateNewMessage', message: { id, message: 'Hello' } },
    ]);
    expect(result.users).toMatchObject([{ id: ada.userId, self: true }]);
    expect(result.chats).toMatchObject([{ _: 'chat', id: group.chatId, creator: true }]);
  });

  it('posts to the seeded channel, where only its administrators may', async () => {
    const [ada, bob] = await sandbox.twoAccounts();
    const peer = channelOf((await sandbox.seeded(ada)).channelId);
    const { result, updates } = await sandbox.watch(ada, () => sandbox.send(ada, peer, 'News'));
    expect(updates.map(({ kind }) => kind)).toEqual(['RawUpdateNewChannelMessage']);
    expect(result.updates[1]).toMatchObject({
      _: 'updateNewChannelMessage',
      message: { post: true, views: 1, message: 'News' },
    });
    const wanted = { peer, message: 'Mine', randomId: aRandomId() };
    expect(await sandbox.refusal(bob, 'messages.sendMessage', wanted)).toBe('CHAT_WRITE_FORBIDDEN');
  });
});
