import { afterAll, beforeAll, expect, it } from 'vitest';
import { findMethod } from '../../src/tl/methods.ts';
import { measureKept } from '../support/sandbox/kept-bytes.ts';
import { Sandbox, type SandboxAccount } from '../support/sandbox/sandbox.ts';
import { grownParamsOf } from '../support/tl/grown-params.ts';

/** What one call with one long text may leave in Redis, with all copies, updates and its recorded reply. */
const KEPT_MAX = 64 * 1024;

// About the largest body that is taken, and what is kept more than once if it is taken at all.
const SIZES = [900 * 1024, 90 * 1024];

type Params = Record<string, unknown>;

/** What an example leaves out, beside what it has. The poll, the invoice and the keyboard are whole, since nothing else would be taken. */
interface Fuller {
  method: string;
  bot?: boolean;
  params: Params;
}

const SELF = { _: 'inputPeerSelf' };
const at = { offset: 0, length: 1 };
/** Every entity that has a text of its own. */
const ENTITIES = [
  { _: 'messageEntityTextUrl', ...at, url: 'https://example.com' },
  { _: 'messageEntityPre', ...at, language: 'c' },
  { _: 'messageEntityDiffReplace', ...at, oldText: 'e' },
];
const NOTED = { _: 'textWithEntities', text: 'e', entities: ENTITIES };
const REPLY = {
  _: 'inputReplyToMessage',
  replyToMsgId: 1,
  quoteText: 'e',
  quoteEntities: ENTITIES,
  pollOption: 'AAAA',
};
const CONTACT = {
  _: 'messageMediaContact',
  phoneNumber: '1',
  firstName: 'A',
  lastName: 'B',
  vcard: 'V',
  userId: 0,
};
const POLL = {
  _: 'inputMediaPoll',
  poll: {
    _: 'poll',
    id: '0',
    hash: '0',
    quiz: true,
    question: NOTED,
    answers: [
      { _: 'pollAnswer', text: NOTED, option: 'AAAA', media: CONTACT },
      { _: 'pollAnswer', text: NOTED, option: 'BBBB' },
    ],
    countriesIso2: ['DE'],
  },
  correctAnswers: [0],
  solution: 'e',
  solutionEntities: ENTITIES,
};
const INVOICE = {
  _: 'inputMediaInvoice',
  title: 'Lamp',
  description: 'It shines',
  photo: {
    _: 'inputWebDocument',
    url: 'https://example.com',
    size: 1,
    mimeType: 'image/png',
    attributes: [{ _: 'documentAttributeFilename', fileName: 'lamp.png' }],
  },
  invoice: {
    _: 'invoice',
    currency: 'EUR',
    prices: [{ _: 'labeledPrice', label: 'Lamp', amount: '2500' }],
    termsUrl: 'https://example.com',
  },
  payload: 'AAAA',
  provider: 'provider',
  providerData: { _: 'dataJSON', data: '{}' },
  startParam: 'a',
};
const KEYBOARD = {
  _: 'replyInlineMarkup',
  rows: [
    {
      _: 'keyboardButtonRow',
      buttons: [
        { _: 'keyboardButtonUrl', text: 'Open', url: 'https://example.com' },
        { _: 'keyboardButtonCallback', text: 'Press', data: 'AAAA' },
      ],
    },
  ],
};
const RICH = {
  _: 'inputRichMessage',
  blocks: [
    {
      _: 'pageBlockParagraph',
      text: { _: 'textUrl', text: { _: 'textPlain', text: 'e' }, url: 'https://example.com', webpageId: '0' },
    },
  ],
};
const THEME = {
  _: 'inputThemeSettings',
  baseTheme: { _: 'baseThemeClassic' },
  accentColor: 1,
  messageColors: [1],
  wallpaper: { _: 'inputWallPaperSlug', slug: 'classic' },
  wallpaperSettings: { _: 'wallPaperSettings', emoticon: '🏠' },
};
const INFO = {
  _: 'paymentRequestedInfo',
  name: 'Ada',
  phone: '1234567',
  email: 'a@example.com',
  shippingAddress: {
    _: 'postAddress',
    streetLine1: 'A',
    streetLine2: 'B',
    city: 'C',
    state: 'D',
    countryIso2: 'DE',
    postCode: 'E',
  },
};
const IN_AN_HOUR = () => Math.floor(Date.now() / 1_000) + 3_600;

const FULLER: Fuller[] = [
  { method: 'messages.sendMessage', params: { peer: SELF, entities: ENTITIES, replyTo: REPLY } },
  { method: 'messages.sendMessage', params: { peer: SELF, replyTo: REPLY, scheduleDate: IN_AN_HOUR() } },
  { method: 'messages.sendMessage', params: { peer: SELF, message: '', richMessage: RICH } },
  { method: 'messages.sendMessage', bot: true, params: { peer: SELF, replyMarkup: KEYBOARD } },
  { method: 'messages.sendMedia', params: { peer: SELF, media: POLL, entities: ENTITIES, replyTo: REPLY } },
  { method: 'messages.sendMedia', bot: true, params: { peer: SELF, media: INVOICE } },
  { method: 'messages.editMessage', params: { peer: SELF, entities: ENTITIES } },
  {
    method: 'messages.saveDraft',
    params: { entities: ENTITIES, media: { _: 'inputMediaWebPage', url: 'https://example.com' } },
  },
  {
    method: 'messages.setTyping',
    params: { action: { _: 'sendMessageTextDraftAction', randomId: '1', text: NOTED } },
  },
  { method: 'contacts.addContact', params: { note: NOTED } },
  { method: 'account.createTheme', params: { settings: [THEME] } },
  { method: 'account.updateTheme', params: { settings: [THEME] } },
  { method: 'payments.validateRequestedInfo', params: { info: INFO } },
  { method: 'stories.startLive', params: { caption: 'e', entities: ENTITIES } },
  {
    method: 'bots.setBotMenuButton',
    bot: true,
    params: { button: { _: 'botMenuButton', text: 'Open', url: 'https://example.com' } },
  },
];

/** Params that are kept as they come: they have bounds of their own. */
const KEPT_WHOLE = new Set(['upload.saveFilePart bytes', 'upload.saveBigFilePart bytes']);

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await Sandbox.open();
});
afterAll(() => sandbox.close());

async function anew({ method, bot = false, params }: Fuller): Promise<[SandboxAccount, Params | null]> {
  await sandbox.redis.flushall();
  const account = await sandbox.anAccount('Ada', { bot });
  const { examples } = await sandbox.order(account, 'getExamples', { methods: [method] });
  const example: Params | undefined = examples[method];
  return [account, example ? { ...example, ...params } : null];
}

/** The texts of these params that are kept without a bound. */
async function findUnbounded(asked: Fuller): Promise<string[]> {
  const entry = findMethod(asked.method)?.entry;
  if (entry === undefined) throw new Error(`${asked.method} is no method`);
  let [account, params] = await anew(asked);
  if (params === null) return [];
  const { refusal } = await measureKept(sandbox, account, asked.method, params);
  const isFuller = Object.keys(asked.params).length > 0;
  if (isFuller && refusal !== null) return [`${asked.method} ${Object.keys(asked.params)}: ${refusal}`];
  const found = new Set<string>();
  const count = [...grownParamsOf(entry, params)].length;
  let isDone = true;
  for (let i = 0; i < count; i += 1) {
    for (const bytes of SIZES) {
      if (isDone) [account, params] = await anew(asked);
      const grown = [...grownParamsOf(entry, params as Params)][i];
      if (grown === undefined || KEPT_WHOLE.has(`${asked.method} ${grown.path}`)) continue;
      const answer = await measureKept(sandbox, account, asked.method, grown.make(bytes));
      isDone = answer.refusal === null;
      if (answer.kept > KEPT_MAX) found.add(`${asked.method} ${grown.path}`);
    }
  }
  return [...found];
}

it('bounds every text within params that are taken', { timeout: 600_000 }, async () => {
  const names = [...sandbox.driver.methods.keys()];
  const examples: Fuller[] = names.flatMap((method) => [
    { method, params: {} },
    { method, bot: true, params: {} },
  ]);
  const found: string[] = [];
  for (const asked of [...FULLER, ...examples]) found.push(...(await findUnbounded(asked)));
  expect(found).toEqual([]);
});
