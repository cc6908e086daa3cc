import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../../../../src/ids.ts';
import { Sandbox, type SandboxAccount } from '../../../support/sandbox/sandbox.ts';

let sandbox: Sandbox;
let writer: SandboxAccount;
let reader: SandboxAccount;

beforeAll(async () => {
  sandbox = await Sandbox.open();
  const id = newId('workspace');
  [writer, reader] = await Promise.all([
    sandbox.anAccount('Account', { workspaceId: id }),
    sandbox.anAccount('Account', { workspaceId: id }),
  ]);
});

afterAll(() => sandbox.close());

const plain = (text: string) => ({ _: 'textPlain', text });

function aPeer(account: SandboxAccount) {
  return { _: 'inputPeerUser', userId: account.userId, accessHash: '0' };
}

async function getRich(account: SandboxAccount, peer: object, id: number) {
  const result = await sandbox.call(account, 'messages.getRichMessage', {
    peer,
    id,
  });
  expect(result).toMatchObject({ _: 'messages.messages', topics: [] });
  return result.messages[0];
}

async function sendRich(richMessage: object, message = ''): Promise<number> {
  const sent = await sandbox.call(writer, 'messages.sendMessage', {
    peer: aPeer(reader),
    message,
    richMessage,
  });
  return sent.updates[0].id;
}

async function blocksOf(markup: { markdown: string } | { html: string }, options: object = {}) {
  const _ = 'markdown' in markup ? 'inputRichMessageMarkdown' : 'inputRichMessageHTML';
  const id = await sendRich({ _, ...markup, ...options });
  return stripFlags((await getRich(writer, aPeer(reader), id)).richMessage.blocks);
}

// Results name every flag; the tests only look at those that are set.
function stripFlags(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(stripFlags);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).filter(([, inner]) => inner !== false);
  return Object.fromEntries(fields.map(([name, inner]) => [name, stripFlags(inner)]));
}

it('finds message 1 of the own chat rich, by the documented request', async () => {
  const message = await getRich(writer, { _: 'inputPeerEmpty' }, 1);
  expect(message).toMatchObject({ _: 'message', id: 1 });
  expect(message.richMessage.blocks).toMatchObject([
    { _: 'pageBlockHeading1', text: plain('Welcome to Switchboard') },
    { _: 'pageBlockParagraph' },
    { _: 'pageBlockList' },
  ]);
});

it('is replaced by a text that a message is edited into, and replaces the text of one', async () => {
  const id = await sendRich({ _: 'inputRichMessageMarkdown', markdown: '# Title' });
  const edit = (content: object) =>
    sandbox.call(writer, 'messages.editMessage', { peer: aPeer(reader), id, ...content });
  await edit({ message: 'Just a *text*' });
  const [plainText] = await sandbox.history(writer, aPeer(reader));
  expect(plainText).toMatchObject({ message: 'Just a *text*' });
  expect(plainText.richMessage).toBeUndefined();
  await edit({ richMessage: { _: 'inputRichMessageMarkdown', markdown: 'Again' } });
  const message = await getRich(writer, aPeer(reader), id);
  expect(message).toMatchObject({ message: '', richMessage: { blocks: [{ _: 'pageBlockParagraph' }] } });
  expect(message.entities ?? []).toEqual([]);
});

it('answers an id that is not there, or is of another chat, with messageEmpty', async () => {
  expect(await getRich(writer, { _: 'inputPeerEmpty' }, 999)).toEqual({
    _: 'messageEmpty',
    id: 999,
    peerId: { _: 'peerUser', userId: writer.userId },
  });
  expect(await getRich(writer, aPeer(reader), 1)).toMatchObject({
    _: 'messageEmpty',
    id: 1,
  });
});

it('refuses a peer that is not there', async () => {
  const peer = { _: 'inputPeerUser', userId: 424_242, accessHash: '0' };
  const answer = await sandbox.answer(writer, 'messages.getRichMessage', {
    peer,
    id: 1,
  });
  expect(answer.body.code).toBe('PEER_ID_INVALID');
});

it('keeps what is given structurally and shows it to the other side', async () => {
  const blocks = [
    { _: 'pageBlockKicker', text: plain('Kicker') },
    {
      _: 'pageBlockParagraph',
      text: { _: 'textMarked', text: plain('marked') },
    },
    {
      _: 'inputPageBlockMap',
      geo: { _: 'inputGeoPoint', lat: 1.5, long: 2.5 },
      zoom: 14,
      w: 100,
      h: 50,
      caption: {
        _: 'pageCaption',
        text: plain('here'),
        credit: { _: 'textEmpty' },
      },
    },
    {
      _: 'pageBlockParagraph',
      text: { _: 'textMentionName', text: plain('you'), userId: reader.userId },
    },
  ];
  await sendRich({ _: 'inputRichMessage', rtl: true, blocks });
  const history = await sandbox.call(reader, 'messages.getHistory', {
    peer: aPeer(writer),
    offsetId: 0,
    offsetDate: 0,
    addOffset: 0,
    limit: 1,
    maxId: 0,
    minId: 0,
    hash: '0',
  });
  const theirs = await getRich(reader, aPeer(writer), history.messages[0].id);
  expect(stripFlags(theirs.richMessage)).toEqual({
    _: 'richMessage',
    rtl: true,
    blocks: [
      blocks[0],
      blocks[1],
      {
        _: 'pageBlockMap',
        geo: { _: 'geoPoint', lat: 1.5, long: 2.5, accessHash: '0' },
        zoom: 14,
        w: 100,
        h: 50,
        caption: {
          _: 'pageCaption',
          text: plain('here'),
          credit: { _: 'textEmpty' },
        },
      },
      blocks[3],
    ],
    photos: [],
    documents: [],
  });
});

it('parses markdown into blocks', async () => {
  const markdown = [
    '# Title *here*',
    'A **bold** and ~~gone~~ `code` with [a link](https://example.com), ==marked==, ||hidden|| and $x^2$.',
    '- [x] done\n- [ ] open\n- plain',
    '3. three\n4. four',
    '> quoted',
    '```ts\nconst a = 1 < 2;\n```',
    '$$\nE = mc^2\n$$',
    '| a | b |\n|:-:|--:|\n| 1 | 2 |',
    '---',
    '<details open><summary>More</summary>\n\ninside\n\n</details>',
  ].join('\n\n');
  const concat = (...texts: object[]) => ({ _: 'textConcat', texts });
  expect(await blocksOf({ markdown })).toEqual([
    {
      _: 'pageBlockHeading1',
      text: concat(plain('Title '), { _: 'textItalic', text: plain('here') }),
    },
    {
      _: 'pageBlockParagraph',
      text: concat(
        plain('A '),
        { _: 'textBold', text: plain('bold') },
        plain(' and '),
        { _: 'textStrike', text: plain('gone') },
        plain(' '),
        { _: 'textFixed', text: plain('code') },
        plain(' with '),
        {
          _: 'textUrl',
          text: plain('a link'),
          url: 'https://example.com',
          webpageId: '0',
        },
        plain(', '),
        { _: 'textMarked', text: plain('marked') },
        plain(', '),
        { _: 'textSpoiler', text: plain('hidden') },
        plain(' and '),
        { _: 'textMath', source: 'x^2' },
        plain('.'),
      ),
    },
    {
      _: 'pageBlockList',
      items: [
        {
          _: 'pageListItemText',
          checkbox: true,
          checked: true,
          text: plain('done'),
        },
        { _: 'pageListItemText', checkbox: true, text: plain('open') },
        { _: 'pageListItemText', text: plain('plain') },
      ],
    },
    {
      _: 'pageBlockOrderedList',
      start: 3,
      items: [
        { _: 'pageListOrderedItemText', num: '3', text: plain('three') },
        { _: 'pageListOrderedItemText', num: '4', text: plain('four') },
      ],
    },
    {
      _: 'pageBlockBlockquote',
      text: plain('quoted'),
      caption: { _: 'textEmpty' },
    },
    {
      _: 'pageBlockPreformatted',
      text: plain('const a = 1 < 2;'),
      language: 'ts',
    },
    { _: 'pageBlockMath', source: 'E = mc^2' },
    {
      _: 'pageBlockTable',
      title: { _: 'textEmpty' },
      rows: [
        {
          _: 'pageTableRow',
          cells: [
            {
              _: 'pageTableCell',
              header: true,
              alignCenter: true,
              text: plain('a'),
            },
            {
              _: 'pageTableCell',
              header: true,
              alignRight: true,
              text: plain('b'),
            },
          ],
        },
        {
          _: 'pageTableRow',
          cells: [
            { _: 'pageTableCell', alignCenter: true, text: plain('1') },
            { _: 'pageTableCell', alignRight: true, text: plain('2') },
          ],
        },
      ],
    },
    { _: 'pageBlockDivider' },
    {
      _: 'pageBlockDetails',
      open: true,
      title: plain('More'),
      blocks: [{ _: 'pageBlockParagraph', text: plain('inside') }],
    },
  ]);
});

it('parses HTML into blocks, and finds links unless told not to', async () => {
  const html =
    '<h2>Sub</h2><p>x<sub>1</sub><br>See @support at https://a.example/b?c=1, #tag $USD /start 4111 1111 1111 1111</p>' +
    '<blockquote><p>one</p><p>two</p><cite>Who</cite></blockquote><aside>Pulled</aside>' +
    '<ol reversed><li>b<ul><li>deep</li></ul></li></ol><a name="end"></a><footer>Foot</footer>';
  expect(await blocksOf({ html })).toEqual([
    { _: 'pageBlockHeading2', text: plain('Sub') },
    {
      _: 'pageBlockParagraph',
      text: {
        _: 'textConcat',
        texts: [
          plain('x'),
          { _: 'textSubscript', text: plain('1') },
          {
            _: 'textConcat',
            texts: [
              plain('\nSee '),
              { _: 'textMention', text: plain('@support') },
              plain(' at '),
              { _: 'textAutoUrl', text: plain('https://a.example/b?c=1') },
              plain(', '),
              { _: 'textHashtag', text: plain('#tag') },
              plain(' '),
              { _: 'textCashtag', text: plain('$USD') },
              plain(' '),
              { _: 'textBotCommand', text: plain('/start') },
              plain(' '),
              { _: 'textBankCard', text: plain('4111 1111 1111 1111') },
            ],
          },
        ],
      },
    },
    {
      _: 'pageBlockBlockquoteBlocks',
      blocks: [
        { _: 'pageBlockParagraph', text: plain('one') },
        { _: 'pageBlockParagraph', text: plain('two') },
      ],
      caption: plain('Who'),
    },
    {
      _: 'pageBlockPullquote',
      text: plain('Pulled'),
      caption: { _: 'textEmpty' },
    },
    {
      _: 'pageBlockOrderedList',
      reversed: true,
      items: [
        {
          _: 'pageListOrderedItemBlocks',
          num: '1',
          blocks: [
            { _: 'pageBlockParagraph', text: plain('b') },
            {
              _: 'pageBlockList',
              items: [{ _: 'pageListItemText', text: plain('deep') }],
            },
          ],
        },
      ],
    },
    { _: 'pageBlockAnchor', name: 'end' },
    { _: 'pageBlockFooter', text: plain('Foot') },
  ]);
  expect(await blocksOf({ html: 'at https://a.example' }, { noautolink: true })).toEqual([
    { _: 'pageBlockParagraph', text: plain('at https://a.example') },
  ]);
  expect(await blocksOf({ html: '<constructor>x</constructor>' })).toEqual([
    { _: 'pageBlockParagraph', text: plain('x') },
  ]);
  const spaced = '5\u00a0€\u3000a\u3000\u3000b\u2009c\u2028d\u202fe';
  expect(await blocksOf({ html: ` ${spaced} \t\r\n\f g` })).toEqual([
    { _: 'pageBlockParagraph', text: plain(`${spaced} g`) },
  ]);
});

it('finds addresses in markdown as in HTML, unless told not to', async () => {
  const markdown = 'See https://a.example/_b_?c=*1*&d=2, a_b_c@b.example and www.a.example. *x*';
  const italic = { _: 'textItalic', text: plain('x') };
  expect(await blocksOf({ markdown })).toEqual([
    {
      _: 'pageBlockParagraph',
      text: {
        _: 'textConcat',
        texts: [
          {
            _: 'textConcat',
            texts: [
              plain('See '),
              { _: 'textAutoUrl', text: plain('https://a.example/_b_?c=*1*&d=2') },
              plain(', '),
              { _: 'textAutoEmail', text: plain('a_b_c@b.example') },
              plain(' and www.a.example. '),
            ],
          },
          italic,
        ],
      },
    },
  ]);
  const [before] = markdown.split('*x*');
  expect(await blocksOf({ markdown }, { noautolink: true })).toEqual([
    { _: 'pageBlockParagraph', text: { _: 'textConcat', texts: [plain(before as string), italic] } },
  ]);
});

const quotes = (levels: number) => `${'<blockquote>'.repeat(levels)}x`;
const items = (levels: number) => `${'<ul><li>'.repeat(levels)}x`;
const bold = (levels: number) => `${'<b>a'.repeat(levels)}x`;

it.each([
  ['quotes', (levels: number) => ({ html: quotes(levels) })],
  ['lists', (levels: number) => ({ html: items(levels) })],
  ['formats', (levels: number) => ({ html: bold(levels) })],
  ['formats in quotes', (levels: number) => ({ html: quotes(16).replace('x', bold(levels)) })],
  ['quotes of markdown', (levels: number) => ({ markdown: `${'>'.repeat(levels)} x` })],
])('takes 16 levels of %s, and no more', async (_, markupOf) => {
  // Nested texts may use up an allowance of time: each kind has a tenant of its own.
  const from = await sandbox.anAccount('Account', { workspaceId: newId('workspace') });
  const answerTo = (levels: number) => {
    const markup = markupOf(levels);
    const kind = 'html' in markup ? 'inputRichMessageHTML' : 'inputRichMessageMarkdown';
    const richMessage = { _: kind, ...markup };
    return sandbox.answer(from, 'messages.sendMessage', {
      peer: { _: 'inputPeerSelf' },
      message: '',
      richMessage,
    });
  };
  expect((await answerTo(16)).status).toBe(200);
  expect((await answerTo(17)).body.code).toBe('MESSAGE_TOO_LONG');
});

it('takes the numbers in HTML only where TL has them', async () => {
  const html = [
    '<p><tg-time unix="2147483647">now</tg-time><tg-time unix="2147483648">late</tg-time></p>',
    '<p><img src="tg://time?unix=9999999999" alt="later"></p>',
    '<p><tg-emoji emoji-id="9223372036854775807">a</tg-emoji></p>',
    '<p><tg-emoji emoji-id="9223372036854775808">b</tg-emoji></p>',
    '<p><img src="tg://emoji?id=007" alt="c"></p>',
    '<tg-map lat="-1.5" long="+180"></tg-map>',
  ].join('');
  const paragraph = (text: object) => ({ _: 'pageBlockParagraph', text });
  const date = { _: 'textDate', text: plain('now'), date: 2 ** 31 - 1 };
  expect(await blocksOf({ html })).toMatchObject([
    paragraph({ _: 'textConcat', texts: [date, plain('late')] }),
    paragraph(plain('later')),
    paragraph({ _: 'textCustomEmoji', documentId: '9223372036854775807', alt: 'a' }),
    paragraph(plain('b')),
    paragraph(plain('c')),
    { _: 'pageBlockMap', geo: { lat: -1.5, long: 180 } },
  ]);
});

it.each([
  ['MESSAGE_EMPTY', { _: 'inputRichMessageMarkdown', markdown: ' \n ' }],
  ['MESSAGE_EMPTY', { _: 'inputRichMessageMarkdown', markdown: '[ ](https://a.example)' }],
  ['MESSAGE_EMPTY', { _: 'inputRichMessageHTML', html: '<b></b>' }],
  ['MESSAGE_EMPTY', { _: 'inputRichMessageHTML', html: '<h1></h1><p><i> <u>&nbsp;</u></i><s></s></p>' }],
  [
    'MESSAGE_EMPTY',
    { _: 'inputRichMessage', blocks: [{ _: 'pageBlockParagraph', text: { _: 'textEmpty' } }] },
  ],
  ['MESSAGE_TOO_LONG', { _: 'inputRichMessageMarkdown', markdown: 'x'.repeat(32_769) }],
  ['MESSAGE_TOO_LONG', { _: 'inputRichMessageMarkdown', markdown: '>'.repeat(30_000) }],
  ['MESSAGE_TOO_LONG', { _: 'inputRichMessageMarkdown', markdown: '_a_'.repeat(10_000) }],
  ['MESSAGE_TOO_LONG', { _: 'inputRichMessageHTML', html: '<b>'.repeat(30_000) }],
  [
    'PHOTO_INVALID',
    {
      _: 'inputRichMessageHTML',
      html: 'x',
      files: [{ _: 'inputRichFilePhoto', id: 'a', photo: { _: 'inputPhotoEmpty' } }],
    },
  ],
  ['MEDIA_INVALID', { _: 'inputRichMessageHTML', html: '<img src="https://example.com/a.png">' }],
  ['MEDIA_INVALID', { _: 'inputRichMessageHTML', html: '<tg-map lat="" long="1"></tg-map>' }],
  ['MEDIA_INVALID', { _: 'inputRichMessageHTML', html: '<tg-map lat="1" long="0x10"></tg-map>' }],
  [
    'DOCUMENT_INVALID',
    {
      _: 'inputRichMessageHTML',
      html: 'x',
      files: [
        {
          _: 'inputRichFileDocument',
          id: 'a',
          document: { _: 'inputDocumentEmpty' },
        },
      ],
    },
  ],
  [
    'ENTITY_MENTION_USER_INVALID',
    {
      _: 'inputRichMessageHTML',
      html: '<a href="tg://user?id=424242">nobody</a>',
    },
  ],
])('refuses rich content with %s', async (code, richMessage) => {
  // Long texts have an allowance of time, which is not what this is about: each has a tenant of its own.
  const isLong = code === 'MESSAGE_TOO_LONG';
  const from = isLong ? await sandbox.anAccount('Account', { workspaceId: newId('workspace') }) : writer;
  const params = { peer: isLong ? { _: 'inputPeerSelf' } : aPeer(reader), message: '', richMessage };
  expect((await sandbox.answer(from, 'messages.sendMessage', params)).body.code).toBe(code);
});

const mapWith = (text: object, lat = 1.5, long = 2.5) => ({
  _: 'inputRichMessage',
  blocks: [
    {
      _: 'inputPageBlockMap',
      geo: { _: 'inputGeoPoint', lat, long },
      zoom: 14,
      w: 100,
      h: 50,
      caption: { _: 'pageCaption', text, credit: { _: 'textEmpty' } },
    },
  ],
});

it.each([
  ['MESSAGE_TOO_LONG', plain('x'.repeat(32_769))],
  ['MESSAGE_TOO_LONG', { _: 'textUrl', text: plain('x'), url: 'x'.repeat(2_049), webpageId: '0' }],
  ['ENTITY_MENTION_USER_INVALID', { _: 'textMentionName', text: plain('nobody'), userId: 424_242 }],
])('refuses a map with %s for its caption', async (code, text) => {
  const params = { peer: aPeer(reader), message: '', richMessage: mapWith(text) };
  expect((await sandbox.answer(writer, 'messages.sendMessage', params)).body.code).toBe(code);
});

it.each([
  [90.5, 0],
  [0, -1e21],
])('refuses a map of %d, %d, which is nowhere', async (lat, long) => {
  const params = { peer: aPeer(reader), message: '', richMessage: mapWith(plain('x'), lat, long) };
  expect((await sandbox.answer(writer, 'messages.sendMessage', params)).body.code).toBe('MEDIA_INVALID');
});

it('finds the links in the caption of a map', async () => {
  const id = await sendRich(mapWith(plain('#tag')));
  const [block] = (await getRich(writer, aPeer(reader), id)).richMessage.blocks;
  expect(block).toMatchObject({
    _: 'pageBlockMap',
    geo: { _: 'geoPoint', lat: 1.5, long: 2.5 },
    caption: { text: { _: 'textHashtag', text: plain('#tag') } },
  });
});

it('shows given files as blocks of the text', async () => {
  const fileId = randomBytes(8).readBigInt64BE().toString();
  await sandbox.call(writer, 'upload.saveFilePart', { fileId, filePart: 0, bytes: 'YXVkaW8=' });
  const sent = await sandbox.call(writer, 'messages.sendMedia', {
    peer: { _: 'inputPeerSelf' },
    message: '',
    media: {
      _: 'inputMediaUploadedDocument',
      file: { _: 'inputFile', id: fileId, parts: 1, name: 'a.mp3', md5Checksum: '' },
      mimeType: 'audio/mpeg',
      attributes: [],
    },
  });
  const { document } = sent.updates[1].message.media;
  const file = { _: 'inputDocument', id: document.id, accessHash: '0', fileReference: '' };
  const markdown = 'Listen:\n\n![](tg://audio?id=song "A song")';
  const files = [{ _: 'inputRichFileDocument', id: 'song', document: file }];
  expect(await blocksOf({ markdown }, { files })).toMatchObject([
    { _: 'pageBlockParagraph', text: plain('Listen:') },
    { _: 'pageBlockAudio', audioId: document.id, caption: { text: plain('A song') } },
  ]);
  for (const id of ['zweite säule', '100 % "ö"', 'a%20b', '%']) {
    const named = { files: [{ ...files[0], id }] };
    const shown = [{ _: 'pageBlockAudio', audioId: document.id }];
    const html = `<audio src="tg://audio?id=${id.replaceAll('"', '&quot;')}"></audio>`;
    expect(await blocksOf({ html }, named)).toMatchObject(shown);
    expect(await blocksOf({ markdown: `![](<tg://audio?id=${id}>)` }, named)).toMatchObject(shown);
  }
});
