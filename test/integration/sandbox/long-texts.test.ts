import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aRandomId, peerOf, Sandbox, type SandboxAccount } from '../../support/sandbox/sandbox.ts';

let sandbox: Sandbox;
let ada: SandboxAccount;
let bob: SandboxAccount;
let shop: SandboxAccount;
beforeAll(async () => {
  sandbox = await Sandbox.open();
  [ada, bob] = await sandbox.twoAccounts();
  shop = await sandbox.anAccount('Shop', { workspaceId: ada.workspaceId, bot: true });
});
afterAll(() => sandbox.close());

const TEXT = 'x'.repeat(4_096);
const link = (url: string, offset = 0) => ({ _: 'messageEntityTextUrl', offset, length: 1, url });
const address = (length: number) => 'https://example.com/'.padEnd(length, 'x');
const links = (length: number) => Array.from({ length: 100 }, (_, i) => link(address(length), 4 * i));
/** A keyboard of about so many characters of JSON. */
const keyboard = (length: number) => ({
  _: 'replyInlineMarkup',
  rows: [
    {
      _: 'keyboardButtonRow',
      buttons: [{ _: 'keyboardButtonUrl', text: 'x'.repeat(length - 200), url: address(30) }],
    },
  ],
});

const sendTo = (account: SandboxAccount, more: object) =>
  sandbox.send(shop, peerOf(account), TEXT, { ...more });
const refusedText = (more: object) =>
  sandbox.refusal(ada, 'messages.sendMessage', {
    peer: peerOf(bob),
    message: TEXT,
    randomId: aRandomId(),
    ...more,
  });
const sendMedia = (from: SandboxAccount, media: object, more: object = {}) =>
  sandbox.call(from, 'messages.sendMedia', {
    peer: peerOf(bob),
    message: '',
    randomId: aRandomId(),
    media,
    ...more,
  });

/** An uploaded document with a name of so many characters, as a message shows it. */
async function aDocument(nameLength: number, mimeType = 'image/png') {
  const file = await sandbox.upload(ada, Buffer.from('x'));
  const named = { _: 'documentAttributeFilename', fileName: 'x'.repeat(nameLength) };
  const media = { _: 'inputMediaUploadedDocument', file, mimeType, attributes: [named] };
  const { document } = await sandbox.call(ada, 'messages.uploadMedia', { peer: peerOf(bob), media });
  const { id, accessHash, fileReference } = document;
  return { _: 'inputDocument', id, accessHash, fileReference };
}

const asMedia = (id: object) => ({ _: 'inputMediaDocument', id });

describe('the longest message there may be is sent:', () => {
  it('a text with a hundred long links, a hundred that are found, and a keyboard', async () => {
    const message = `${'x'.repeat(3_400)} ${'#tags '.repeat(115)}`.slice(0, 4_096);
    await sandbox.send(shop, peerOf(bob), message, { entities: links(300), replyMarkup: keyboard(9_900) });
    const { entities, replyMarkup } = await sandbox.newest(bob, peerOf(shop));
    expect(entities).toHaveLength(200);
    expect(replyMarkup.rows).toHaveLength(1);
  });

  it('a poll with media and links in all that it says', async () => {
    const text = (length: number) => ({
      _: 'textWithEntities',
      text: 'x'.repeat(length),
      entities: Array.from({ length: 5 }, (_, i) => link(address(100), i)),
    });
    const media = asMedia(await aDocument(255));
    const answers = Array.from({ length: 12 }, () => ({ _: 'inputPollAnswer', text: text(100), media }));
    const poll = { _: 'poll', id: '0', hash: '0', quiz: true, question: text(300), answers };
    const solution = {
      solution: 'x'.repeat(200),
      solutionEntities: text(200).entities,
      solutionMedia: media,
    };
    const whole = { _: 'inputMediaPoll', poll, correctAnswers: [0], attachedMedia: media, ...solution };
    await sendMedia(ada, whole, { message: 'x'.repeat(1_024) });
    expect((await sandbox.newest(bob, peerOf(ada))).media.poll.answers).toHaveLength(12);
  });

  it('an album of ten, each with a caption and its links', async () => {
    const media = asMedia(await aDocument(7_000));
    const multiMedia = Array.from({ length: 10 }, () => ({
      _: 'inputSingleMedia',
      media,
      message: 'x'.repeat(1_024),
      entities: links(30),
      randomId: aRandomId(),
    }));
    await sandbox.call(ada, 'messages.sendMultiMedia', { peer: peerOf(bob), multiMedia });
    expect((await sandbox.newest(bob, peerOf(ada))).entities).toHaveLength(100);
  });

  it('an invoice', async () => {
    const media = {
      _: 'inputMediaInvoice',
      title: 'x'.repeat(32),
      description: 'x'.repeat(255),
      photo: { _: 'inputWebDocument', url: address(2_048), size: 1, mimeType: 'image/png', attributes: [] },
      invoice: {
        _: 'invoice',
        currency: 'EUR',
        prices: Array(20).fill({ _: 'labeledPrice', label: 'x'.repeat(100), amount: '1' }),
        termsUrl: address(2_048),
      },
      payload: Buffer.alloc(128, 'x').toString('base64'),
      provider: 'provider',
      providerData: { _: 'dataJSON', data: JSON.stringify({ x: 'x'.repeat(16_000) }) },
    };
    await sendMedia(shop, media);
    expect((await sandbox.newest(bob, peerOf(shop))).media.description).toHaveLength(255);
    for (const longer of [{ title: 'x'.repeat(33) }, { description: 'x'.repeat(256) }])
      await expect(sendMedia(shop, { ...media, ...longer })).rejects.toThrow('MEDIA_INVALID');
  });
});

it('a message that is longer than 64 KiB as JSON is refused, whatever makes it so', async () => {
  const markup = { entities: links(300), replyMarkup: keyboard(9_900) };
  await sendTo(bob, markup);
  // As JSON, each of these takes six characters.
  const controls = { peer: peerOf(bob), message: '\u0001'.repeat(4_096), randomId: aRandomId() };
  expect(await sandbox.refusal(shop, 'messages.sendMessage', { ...controls, ...markup })).toBe(
    'MESSAGE_TOO_LONG',
  );
  const quoted = { _: 'inputReplyToMessage', quoteText: TEXT, quoteEntities: links(300) };
  const { id: replyToMsgId } = await sandbox.newest(bob, peerOf(shop));
  const answer = { peer: peerOf(shop), message: TEXT, randomId: aRandomId(), entities: links(300) };
  const replyTo = { ...quoted, replyToMsgId };
  expect(await sandbox.refusal(bob, 'messages.sendMessage', { ...answer, replyTo })).toBe('MESSAGE_TOO_LONG');
  const scheduleDate = Math.floor(Date.now() / 1_000) + 3_600;
  expect(await sandbox.refusal(bob, 'messages.sendMessage', { ...answer, replyTo, scheduleDate })).toBe(
    'MESSAGE_TOO_LONG',
  );
});

describe('refuses', () => {
  it('an address of more than 2,048 characters, and many that are long together', async () => {
    await sandbox.send(ada, peerOf(bob), TEXT, { entities: [link(address(2_048))] });
    expect(await refusedText({ entities: [link(address(2_049))] })).toBe('ENTITY_BOUNDS_INVALID');
    expect(await refusedText({ entities: links(400) })).toBe('ENTITIES_TOO_LONG');
    const code = { _: 'messageEntityPre', offset: 0, length: 1, language: 'x'.repeat(2_049) };
    expect(await refusedText({ entities: [code] })).toBe('ENTITY_BOUNDS_INVALID');
  });

  it('an answer to an option of a poll that no poll has, and a quote that no message says', async () => {
    await sandbox.send(ada, peerOf(bob), 'Hello');
    const { id: replyToMsgId } = await sandbox.newest(ada, peerOf(bob));
    const answer = (bytes: number) => ({
      _: 'inputReplyToMessage',
      replyToMsgId,
      pollOption: Buffer.alloc(bytes).toString('base64'),
    });
    await sandbox.send(ada, peerOf(bob), 'Yes', { replyTo: answer(100) });
    for (const bytes of [0, 101])
      expect(await refusedText({ replyTo: answer(bytes) })).toBe('POLL_OPTION_INVALID');
    const replyTo = { ...answer(1), quoteText: 'x'.repeat(4_097) };
    expect(await refusedText({ replyTo })).toBe('QUOTE_TEXT_INVALID');
  });

  it('a poll of more than 30,000 characters of JSON, and for countries that are none', async () => {
    const media = asMedia(await aDocument(3_000));
    const text = { _: 'textWithEntities', text: 'x', entities: [] };
    const pollOf = (count: number, more: object = {}) => ({
      _: 'inputMediaPoll',
      poll: {
        _: 'poll',
        id: '0',
        hash: '0',
        question: text,
        answers: Array(count).fill({ _: 'inputPollAnswer', text, media }),
        ...more,
      },
    });
    await sendMedia(ada, pollOf(8, { countriesIso2: ['DE', 'IT'] }));
    await expect(sendMedia(ada, pollOf(10))).rejects.toThrow('MEDIA_INVALID');
    for (const countriesIso2 of [['DEU'], Array(677).fill('DE')])
      await expect(sendMedia(ada, pollOf(1, { countriesIso2 }))).rejects.toThrow('MEDIA_INVALID');
  });

  it('rich content with long addresses, and what it would look up too often', async () => {
    const words = { _: 'textPlain', text: 'x' };
    const rich = (url: string, more: object = {}) => ({
      message: '',
      richMessage: {
        _: 'inputRichMessage',
        blocks: [{ _: 'pageBlockParagraph', text: { _: 'textUrl', text: words, url, webpageId: '0' } }],
        ...more,
      },
    });
    await sandbox.send(ada, peerOf(bob), '', rich(address(2_048)));
    expect(await refusedText(rich(address(2_049)))).toBe('MESSAGE_TOO_LONG');
    const document = await aDocument(1);
    expect(await refusedText(rich('x', { documents: Array(51).fill(document) }))).toBe('MESSAGE_TOO_LONG');
    const users = Array(101).fill({ _: 'inputUserSelf' });
    expect(await refusedText(rich('x', { users }))).toBe('ENTITIES_TOO_LONG');
    const files = Array(51).fill({ _: 'inputRichFileDocument', id: 'a', document });
    expect(
      await refusedText({
        message: '',
        richMessage: { _: 'inputRichMessageMarkdown', markdown: 'Hello', files },
      }),
    ).toBe('MESSAGE_TOO_LONG');
  });
});
