import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { newId } from '../../../../src/ids.ts';
import { stateKey } from '../../../../src/redis/keys.ts';
import { beforeCommitOf } from '../../../support/sandbox/before-commit.ts';
import { Sandbox, type SandboxAccount } from '../../../support/sandbox/sandbox.ts';

let sandbox: Sandbox;
let workspaceId: string;
let shop: SandboxAccount;
let buyer: SandboxAccount;

beforeAll(async () => {
  sandbox = await Sandbox.open();
  workspaceId = newId('workspace');
  [shop, buyer] = await Promise.all([
    sandbox.anAccount('Account', { workspaceId, bot: true }),
    sandbox.anAccount('Account', { workspaceId }),
  ]);
});

afterAll(() => sandbox.close());

const DAY_MS = 24 * 60 * 60 * 1_000;
const payload = Buffer.from('order 17').toString('base64');
const OWN_INVOICE = {
  _: 'inputInvoiceMessage',
  peer: { _: 'inputPeerEmpty' },
  msgId: 1,
};

function aPeer({ userId }: SandboxAccount) {
  return { _: 'inputPeerUser', userId, accessHash: '0' };
}

function anInvoice(settings: object = {}, media: object = {}) {
  return {
    _: 'inputMediaInvoice',
    title: 'Lamp',
    description: 'It shines',
    invoice: {
      _: 'invoice',
      currency: 'EUR',
      prices: [
        { _: 'labeledPrice', label: 'Lamp', amount: '2500' },
        { _: 'labeledPrice', label: 'Discount', amount: '-500' },
      ],
      ...settings,
    },
    payload,
    provider: 'provider-token',
    providerData: { _: 'dataJSON', data: '{"need_zip":true}' },
    ...media,
  };
}

const credentials = (data: object = { last4: '1881' }, save = false) => ({
  _: 'inputPaymentCredentials',
  save,
  data: { _: 'dataJSON', data: JSON.stringify(data) },
});

/** Sends an invoice and gives what names it for the buyer. */
async function sendInvoice(settings: object = {}, media: object = {}, to = buyer) {
  await sandbox.call(shop, 'messages.sendMedia', {
    peer: aPeer(to),
    message: '',
    media: anInvoice(settings, media),
  });
  const history = await sandbox.call(to, 'messages.getHistory', {
    peer: aPeer(shop),
    offsetId: 0,
    offsetDate: 0,
    addOffset: 0,
    limit: 1,
    maxId: 0,
    minId: 0,
    hash: '0',
  });
  return {
    _: 'inputInvoiceMessage',
    peer: aPeer(shop),
    msgId: history.messages[0].id,
  };
}

const call = (account: SandboxAccount, method: string, params: object) =>
  sandbox.call(account, `payments.${method}`, params);
const refused = (account: SandboxAccount, method: string, params: object) =>
  sandbox.refusal(account, `payments.${method}`, params);

async function pay(account: SandboxAccount, invoice: object, options: object = {}) {
  const { formId } = await call(account, 'getPaymentForm', { invoice });
  const result = await call(account, 'sendPaymentForm', {
    formId,
    invoice,
    credentials: credentials(),
    ...options,
  });
  return result.updates.updates.find((update: { _: string }) => update._ === 'updateNewMessage').message;
}

describe('the furnished invoice', () => {
  it('has a form with every field the schema knows', async () => {
    const account = await sandbox.anAccount('Account', { workspaceId });
    const form = await call(account, 'getPaymentForm', {
      invoice: OWN_INVOICE,
    });
    expect(form).toMatchObject({
      _: 'payments.paymentForm',
      canSaveCredentials: true,
      passwordMissing: false,
      title: 'Switchboard T-shirt',
      photo: {
        _: 'webDocument',
        attributes: [{ _: 'documentAttributeImageSize', w: 640, h: 480 }],
      },
      invoice: {
        nameRequested: true,
        maxTipAmount: '1000',
        suggestedTipAmounts: ['100', '300', '500'],
      },
      nativeProvider: 'smartglocal',
      nativeParams: { _: 'dataJSON' },
      additionalMethods: [{ _: 'paymentFormMethod', title: 'Bank transfer' }],
      savedInfo: {
        _: 'paymentRequestedInfo',
        shippingAddress: { _: 'postAddress', countryIso2: 'US' },
      },
      savedCredentials: [{ _: 'paymentSavedCredentialsCard', id: 'card-1' }],
      users: [{ _: 'user', id: form.botId, bot: true }],
    });
  });

  it('is paid with the furnished card and information', async () => {
    const account = await sandbox.anAccount('Account', { workspaceId });
    const { savedInfo } = await call(account, 'getSavedInfo', {});
    const { id } = await call(account, 'validateRequestedInfo', {
      invoice: OWN_INVOICE,
      info: savedInfo,
    });
    const message = await pay(account, OWN_INVOICE, {
      requestedInfoId: id,
      credentials: {
        _: 'inputPaymentCredentialsSaved',
        id: 'card-1',
        tmpPassword: 'YQ==',
      },
      tipAmount: '300',
    });
    expect(message.action).toMatchObject({
      _: 'messageActionPaymentSent',
      recurringInit: true,
      totalAmount: '2500',
    });
    const own = { _: 'inputPeerSelf' };
    const shown = await sandbox.call(account, 'messages.getMessages', {
      id: [{ _: 'inputMessageID', id: 1 }],
    });
    const { receiptMsgId } = shown.messages[0].media;
    expect(receiptMsgId).toBe(message.id);
    const receipt = await call(account, 'getPaymentReceipt', {
      peer: own,
      msgId: receiptMsgId,
    });
    expect(receipt).toMatchObject({
      _: 'payments.paymentReceipt',
      credentialsTitle: 'Visa *4242',
      tipAmount: '300',
      totalAmount: '2500',
      info: { email: savedInfo.email },
    });
    const { formId } = await call(account, 'getPaymentForm', {
      invoice: OWN_INVOICE,
    });
    const again = { formId, invoice: OWN_INVOICE, credentials: credentials() };
    expect(await refused(account, 'sendPaymentForm', again)).toBe('FORM_SUBMIT_DUPLICATE');
  });

  it('is refused to an account with strict peers that names it by inputPeerEmpty', async () => {
    const strict = await sandbox.anAccount('Account', { workspaceId, strictPeers: true });
    expect(await refused(strict, 'getPaymentForm', { invoice: OWN_INVOICE })).toBe('PEER_ID_INVALID');
  });
});

describe('an invoice of a bot', () => {
  it('is shown, asked for, validated, paid and receipted', async () => {
    const invoice = await sendInvoice({
      nameRequested: true,
      emailRequested: true,
      flexible: true,
      maxTipAmount: '400',
      suggestedTipAmounts: ['100', '200'],
    });
    const form = await call(buyer, 'getPaymentForm', { invoice });
    expect(form).toMatchObject({
      botId: shop.userId,
      title: 'Lamp',
      invoice: {
        currency: 'EUR',
        prices: [{ amount: '2500' }, { amount: '-500' }],
        maxTipAmount: '400',
      },
    });
    expect(JSON.parse(form.nativeParams.data)).toMatchObject({
      need_zip: true,
    });

    const info = {
      _: 'paymentRequestedInfo',
      name: 'Ada',
      email: 'ada@example.com',
      shippingAddress: {
        ...form.savedInfo.shippingAddress,
        city: 'London',
        countryIso2: 'GB',
      },
    };
    // Only what the invoice asks for is checked, and so kept.
    const more = { ...info, phone: 'x'.repeat(10_000) };
    const valid = await call(buyer, 'validateRequestedInfo', { invoice, info: more, save: true });
    expect(valid.shippingOptions.map(({ id }: { id: string }) => id)).toEqual(['standard', 'express']);
    expect((await call(buyer, 'getSavedInfo', {})).savedInfo).toEqual(info);
    expect((await call(buyer, 'getPaymentForm', { invoice })).savedInfo).toEqual(info);

    const message = await pay(buyer, invoice, {
      requestedInfoId: valid.id,
      shippingOptionId: 'express',
      tipAmount: '200',
      credentials: credentials({ last4: '1881' }, true),
    });
    expect(message).toMatchObject({
      out: true,
      replyTo: { replyToMsgId: invoice.msgId },
      action: {
        _: 'messageActionPaymentSent',
        currency: 'EUR',
        totalAmount: '3700',
      },
    });
    const receipt = await call(buyer, 'getPaymentReceipt', {
      peer: aPeer(shop),
      msgId: message.id,
    });
    expect(receipt).toMatchObject({
      botId: shop.userId,
      totalAmount: '3700',
      tipAmount: '200',
      shipping: { id: 'express' },
      info: { name: 'Ada', email: 'ada@example.com' },
      credentialsTitle: 'Card *1881',
    });
    const { savedCredentials } = await call(buyer, 'getPaymentForm', {
      invoice,
    });
    expect(savedCredentials.map(({ title }: { title: string }) => title)).toEqual([
      'Visa *4242',
      'Card *1881',
    ]);

    const told = await sandbox.updatesOf(shop);
    const paid = told.findLast(({ _ }) => _ === 'updateNewMessage').message;
    expect(paid).toMatchObject({
      fromId: { userId: buyer.userId },
      action: {
        _: 'messageActionPaymentSentMe',
        totalAmount: '3700',
        payload,
        shippingOptionId: 'express',
        info: { name: 'Ada' },
      },
    });
    const edits = (await sandbox.updatesOf(buyer)).filter(({ _ }) => _ === 'updateEditMessage');
    expect(edits.at(-1).message).toMatchObject({
      id: invoice.msgId,
      media: { receiptMsgId: message.id },
    });
  });

  it('has a form without what its bot has nested too deeply for it', async () => {
    const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
    for (const [levels, isShown] of [
      [100, true],
      [8_000, false],
    ] as const) {
      const providerData = { _: 'dataJSON', data: `{"deep":${nested(levels)}}` };
      const invoice = await sendInvoice({}, { providerData });
      const { nativeParams } = await call(buyer, 'getPaymentForm', { invoice });
      expect('deep' in JSON.parse(nativeParams.data)).toBe(isShown);
    }
  });

  it('in a channel is paid by each who sees it', async () => {
    const peer = await ownChannel(shop);
    const sent = await sandbox.call(shop, 'messages.sendMedia', {
      peer,
      message: '',
      media: anInvoice(),
    });
    const msgId = sent.updates[0].id;
    const invoice = { _: 'inputInvoiceMessage', peer, msgId };
    const other = await sandbox.anAccount('Account', { workspaceId });
    for (const payer of [buyer, other]) {
      const message = await pay(payer, invoice);
      expect(message).toMatchObject({ peerId: { userId: shop.userId }, action: { totalAmount: '2000' } });
      const receipt = await call(payer, 'getPaymentReceipt', { peer: aPeer(shop), msgId: message.id });
      expect(receipt.totalAmount).toBe('2000');
    }
    // Once for each form, also if two payments by one are under way.
    const { formId: again } = await call(other, 'getPaymentForm', { invoice });
    const payment = { formId: again, invoice, credentials: credentials() };
    beforeCommitOf(sandbox, 'payments.sendPaymentForm', () => call(other, 'sendPaymentForm', payment));
    expect(await refused(other, 'sendPaymentForm', payment)).toBe('FORM_SUBMIT_DUPLICATE');
    await pay(other, invoice);
    const { formId } = await call(shop, 'getPaymentForm', { invoice });
    const own = { formId, invoice, credentials: credentials() };
    expect(await refused(shop, 'sendPaymentForm', own)).toBe('INVOICE_INVALID');
  });

  it('in a group or channel is what its payment answers, with the conversation that it is in', async () => {
    const group = await sandbox.aGroup(shop, buyer);
    for (const peer of [group, await ownChannel(shop)]) {
      const media = anInvoice();
      const sent = await sandbox.call(shop, 'messages.sendMedia', { peer, message: '', media });
      const msgId = peer === group ? (await sandbox.newest(buyer, group)).id : sent.updates[0].id;
      const { replyTo } = await pay(buyer, { _: 'inputInvoiceMessage', peer, msgId });
      const { _: __, accessHash, ...named } = { accessHash: '', ...peer };
      expect(replyTo).toMatchObject({ replyToMsgId: msgId, replyToPeerId: named });
    }
  });

  it('is paid with who has forwarded it to the group named beside the message', async () => {
    const friend = await sandbox.anAccount('Account', { workspaceId });
    const group = await sandbox.aGroup(buyer, friend);
    const invoice = await sendInvoice({}, {}, friend);
    const forward = { fromPeer: aPeer(shop), id: [invoice.msgId], toPeer: group };
    await sandbox.call(friend, 'messages.forwardMessages', forward);
    const { id: msgId } = await sandbox.newest(buyer, group);
    const paid = { _: 'inputInvoiceMessage', peer: group, msgId };
    const { formId } = await call(buyer, 'getPaymentForm', { invoice: paid });
    const payment = { formId, invoice: paid, credentials: credentials() };
    const { updates } = await call(buyer, 'sendPaymentForm', payment);
    expect(updates.updates[1].message).toMatchObject({ id: msgId, fromId: { userId: friend.userId } });
    expect(updates.users.map(({ id }: { id: number }) => id)).toContain(friend.userId);
  });

  it('is no answer for its bot to a message that the bot does not see', async () => {
    const invoice = await sendInvoice();
    const group = await sandbox.aGroup(buyer, await sandbox.anAccount('Account', { workspaceId }));
    const hidden = { broadcast: true, title: 'Hidden', about: '' };
    const { chats } = await sandbox.call(buyer, 'channels.createChannel', hidden);
    const channel = { _: 'inputPeerChannel', channelId: chats[0].id, accessHash: '0' };
    for (const peer of [group, channel]) {
      const forward = { fromPeer: aPeer(shop), id: [invoice.msgId], toPeer: peer };
      await sandbox.call(buyer, 'messages.forwardMessages', forward);
      const { id: msgId } = await sandbox.newest(buyer, peer);
      const { replyTo } = await pay(buyer, { _: 'inputInvoiceMessage', peer, msgId });
      expect(replyTo).toMatchObject({ replyToMsgId: msgId });
      const received = await sandbox.newest(shop, aPeer(buyer));
      expect(received.action._).toBe('messageActionPaymentSentMe');
      expect(received).not.toHaveProperty('replyTo');
    }
  });

  it('is an answer for its bot to a message that everybody sees, or that is in the talk of the bot', async () => {
    const { monoforumId } = await sandbox.seeded(buyer);
    const created = await sandbox.call(buyer, 'channels.createChannel', {
      title: 'News',
      about: '',
      broadcast: true,
    });
    const [{ id: channelId }] = created.chats;
    const channel = { _: 'inputChannel', channelId, accessHash: '0' };
    await sandbox.call(buyer, 'channels.updateUsername', { channel, username: `news_${channelId}` });
    const news = { _: 'inputPeerChannel', channelId, accessHash: '0' };
    const invoice = await sendInvoice();
    const forward = { fromPeer: aPeer(shop), id: [invoice.msgId], toPeer: news };
    await sandbox.call(buyer, 'messages.forwardMessages', forward);
    const talk = { _: 'inputPeerChannel', channelId: monoforumId, accessHash: '0' };
    await sandbox.call(shop, 'messages.sendMedia', { peer: talk, message: '', media: anInvoice() });
    for (const peer of [news, talk]) {
      const { id: msgId } = await sandbox.newest(buyer, peer);
      await pay(buyer, { _: 'inputInvoiceMessage', peer, msgId });
      const replyToPeerId = { _: 'peerChannel', channelId: peer.channelId };
      expect((await sandbox.newest(shop, aPeer(buyer))).replyTo).toMatchObject({
        replyToMsgId: msgId,
        replyToPeerId,
      });
    }
  });

  it('shows its receipt to who has paid, also after its bot has edited the message', async () => {
    const invoice = await sendInvoice();
    const { id: receiptMsgId } = await pay(buyer, invoice);
    const { id } = await sandbox.newest(shop, aPeer(buyer));
    const [sold] = (await sandbox.history(shop, aPeer(buyer), { offsetId: id })).filter(
      ({ media }: { media?: object }) => media,
    );
    const edit = { peer: aPeer(buyer), id: sold.id, message: 'Thank you' };
    const { updates } = await sandbox.call(shop, 'messages.editMessage', edit);
    expect(updates[0].message.media).not.toHaveProperty('receiptMsgId');
    const { messages } = await sandbox.call(buyer, 'messages.getMessages', {
      id: [{ _: 'inputMessageID', id: invoice.msgId }],
    });
    expect(messages).toMatchObject([{ message: 'Thank you', media: { receiptMsgId } }]);
  });

  it('shows its receipt to nobody whom who has paid adds to the group', async () => {
    const group = await sandbox.aGroup(buyer, shop);
    const media = anInvoice();
    await sandbox.call(shop, 'messages.sendMedia', { peer: group, message: '', media });
    const { id: msgId } = await sandbox.newest(buyer, group);
    await pay(buyer, { _: 'inputInvoiceMessage', peer: group, msgId });
    const friend = await sandbox.anAccount('Account', { workspaceId });
    const userId = { _: 'inputUser', userId: friend.userId, accessHash: '0' };
    await sandbox.call(buyer, 'messages.addChatUser', { chatId: group.chatId, userId, fwdLimit: 10 });
    const [own, given] = await Promise.all(
      [buyer, friend].map(async (account) => {
        const messages = await sandbox.history(account, group);
        return messages.find(({ media: shown }: { media?: object }) => shown).media;
      }),
    );
    expect(own).toHaveProperty('receiptMsgId');
    expect(given).not.toHaveProperty('receiptMsgId');
  });

  it('is paid again by who gets it forwarded from one that has paid', async () => {
    const invoice = await sendInvoice();
    await pay(buyer, invoice);
    const friend = await sandbox.anAccount('Account', { workspaceId });
    await sandbox.call(buyer, 'messages.forwardMessages', {
      fromPeer: aPeer(shop),
      id: [invoice.msgId],
      toPeer: aPeer(friend),
    });
    const received = (await sandbox.updatesOf(friend)).at(-1).message;
    expect(received.media).not.toHaveProperty('receiptMsgId');
    const forwarded = { _: 'inputInvoiceMessage', peer: aPeer(buyer), msgId: received.id };
    const paid = await pay(friend, forwarded);
    expect(paid).toMatchObject({ peerId: { userId: shop.userId }, action: { totalAmount: '2000' } });
    const again = { invoice: forwarded, credentials: credentials() };
    const { formId } = await call(friend, 'getPaymentForm', { invoice: forwarded });
    expect(await refused(friend, 'sendPaymentForm', { ...again, formId })).toBe('FORM_SUBMIT_DUPLICATE');
  });

  it('asks nothing where it requests nothing, and offers no saved thing to who has none', async () => {
    const poor = await sandbox.anAccount('Account', { workspaceId });
    await call(poor, 'clearSavedInfo', { credentials: true, info: true });
    expect(await call(poor, 'getSavedInfo', {})).toEqual({
      _: 'payments.savedInfo',
      hasSavedCredentials: false,
    });
    const invoice = await sendInvoice({}, {}, poor);
    const form = await call(poor, 'getPaymentForm', { invoice });
    expect(form).not.toHaveProperty('savedInfo');
    expect(form).not.toHaveProperty('savedCredentials');
    const info = { _: 'paymentRequestedInfo', name: 'Not asked for' };
    const valid = await call(poor, 'validateRequestedInfo', { invoice, info, save: true });
    expect(valid).toEqual({ _: 'payments.validatedRequestedInfo' });
    expect(await call(poor, 'getSavedInfo', {})).not.toHaveProperty('savedInfo');
    expect((await pay(poor, invoice)).action.totalAmount).toBe('2000');
  });

  it('is paid with information of that day and the day before, however often more is validated', async () => {
    const account = await sandbox.anAccount('Account', { workspaceId });
    const [first, second] = [
      await sendInvoice({ nameRequested: true }, {}, account),
      await sendInvoice({ nameRequested: true }, {}, account),
    ];
    const info = { _: 'paymentRequestedInfo', name: 'Ada' };
    const validate = async (invoice: object): Promise<string> =>
      (await call(account, 'validateRequestedInfo', { invoice, info })).id;
    const listKeys = () => sandbox.redis.keys(stateKey(workspaceId, `requested-info:${account.userId}:*`));
    const noon = (Math.floor(Date.now() / DAY_MS) + 1.5) * DAY_MS;
    const clock = vi.spyOn(Date, 'now').mockReturnValue(noon);
    try {
      const ids = [await validate(first), await validate(second)];
      clock.mockReturnValue(noon + DAY_MS);
      await validate(second);
      await pay(account, first, { requestedInfoId: ids[0] });
      clock.mockReturnValue(noon + 2 * DAY_MS);
      await validate(second);
      await expect(pay(account, second, { requestedInfoId: ids[1] })).rejects.toThrow('FORM_EXPIRED');
      const keys = await listKeys();
      expect(keys).toHaveLength(3);
      for (const key of keys) expect(await sandbox.redis.pttl(key)).toBeGreaterThan(0);
      while (!(await sandbox.order(account, 'resetAccount')).done);
      expect(await listKeys()).toHaveLength(1);
    } finally {
      clock.mockRestore();
    }
  });

  it('clears the cards and the information apart', async () => {
    const account = await sandbox.anAccount('Account', { workspaceId });
    await call(account, 'clearSavedInfo', { credentials: true });
    expect(await call(account, 'getSavedInfo', {})).toMatchObject({
      hasSavedCredentials: false,
      savedInfo: { _: 'paymentRequestedInfo' },
    });
    await call(account, 'clearSavedInfo', { info: true });
    expect(await call(account, 'getSavedInfo', {})).not.toHaveProperty('savedInfo');
  });
});

async function ownChannel(owner: SandboxAccount) {
  const { url } = await call(owner, 'getStarsRevenueAdsAccountUrl', {
    peer: { _: 'inputPeerEmpty' },
  });
  const channelId = Number(/\/account\/c(\d+)\?/.exec(url)?.[1]);
  return { _: 'inputPeerChannel', channelId, accessHash: '0' };
}

describe('an error names', () => {
  it.each([
    ['BOT_PAYMENTS_DISABLED', {}, {}, true],
    ['STARS_INVOICE_INVALID', { currency: 'XTR' }, {}, false],
    ['PAYMENT_PROVIDER_INVALID', {}, { provider: '' }, false],
    ['INVOICE_PAYLOAD_INVALID', {}, { payload: '' }, false],
    ['MEDIA_INVALID', {}, { title: ' ' }, false],
    ['SUBSCRIPTION_EXPORT_MISSING', { subscriptionPeriod: 60 }, {}, false],
    ['CURRENCY_TOTAL_AMOUNT_INVALID', { prices: [] }, {}, false],
    ['CURRENCY_TOTAL_AMOUNT_INVALID', { suggestedTipAmounts: ['5'] }, {}, false],
    ['TERMS_URL_INVALID', { termsUrl: 'nowhere' }, {}, false],
    ['WEBDOCUMENT_URL_EMPTY', {}, { photo: newPhoto('', 'image/png') }, false],
    ['WEBDOCUMENT_URL_INVALID', {}, { photo: newPhoto('ftp://x', 'image/png') }, false],
    ['WEBDOCUMENT_MIME_INVALID', {}, { photo: newPhoto('https://a.example.com', 'text/html') }, false],
  ])('%s when an invoice is sent', async (error, settings, media, byUser) => {
    const params = {
      peer: aPeer(buyer),
      message: '',
      media: anInvoice(settings, media),
    };
    const from = byUser ? await sandbox.anAccount('Account', { workspaceId }) : shop;
    expect(await sandbox.refusal(from, 'messages.sendMedia', params)).toBe(error);
  });

  it('REPLY_MARKUP_BUY_EMPTY for a keyboard without the button to pay', async () => {
    const replyMarkup = { _: 'replyInlineMarkup', rows: [] };
    const params = {
      peer: aPeer(buyer),
      message: '',
      media: anInvoice(),
      replyMarkup,
    };
    expect(await sandbox.refusal(shop, 'messages.sendMedia', params)).toBe('REPLY_MARKUP_BUY_EMPTY');
  });

  it('what is wrong with the invoice asked for', async () => {
    const of = (invoice: object) => refused(buyer, 'getPaymentForm', { invoice });
    expect(await of({ ...OWN_INVOICE, msgId: 2 })).toBe('MESSAGE_ID_INVALID');
    expect(await of({ ...OWN_INVOICE, msgId: 999 })).toBe('MESSAGE_ID_INVALID');
    const channel = await ownChannel(buyer);
    expect(await of({ ...OWN_INVOICE, peer: channel })).toBe('BOT_INVOICE_INVALID');
    expect(await of({ _: 'inputInvoiceSlug', slug: 'no' })).toBe('SLUG_INVALID');
    expect(await of({ _: 'inputInvoiceChatInviteSubscription', hash: 'no' })).toBe('INVOICE_INVALID');
    expect(
      await of({
        ...OWN_INVOICE,
        peer: { _: 'inputPeerUser', userId: 5, accessHash: '0' },
      }),
    ).toBe('PEER_ID_INVALID');
  });

  it('what is wrong with the information given', async () => {
    const invoice = OWN_INVOICE;
    const { savedInfo } = await call(buyer, 'getPaymentForm', { invoice });
    const good = {
      ...savedInfo,
      name: 'Ada',
      phone: '+4420123456',
      email: 'ada@example.com',
    };
    const of = (info: object) =>
      refused(buyer, 'validateRequestedInfo', {
        invoice,
        info: { ...good, ...info },
      });
    expect(await of({ name: ' ' })).toBe('FIRSTNAME_INVALID');
    expect(await of({ phone: 'none' })).toBe('PHONE_NUMBER_INVALID');
    expect(await of({ email: 'none' })).toBe('EMAIL_INVALID');
    expect(await of({ shippingAddress: { ...savedInfo.shippingAddress, city: '' } })).toBe('ADDRESS_INVALID');
    const elsewhere = { invoice: { ...invoice, msgId: 999 }, info: good };
    expect(await refused(buyer, 'validateRequestedInfo', elsewhere)).toBe('MESSAGE_ID_INVALID');
  });

  it('what is wrong with a payment', async () => {
    const invoice = await sendInvoice({
      nameRequested: true,
      maxTipAmount: '10',
    });
    const { formId } = await call(buyer, 'getPaymentForm', { invoice });
    const info = { _: 'paymentRequestedInfo', name: 'Ada' };
    const { id } = await call(buyer, 'validateRequestedInfo', {
      invoice,
      info,
    });
    const good = {
      formId,
      invoice,
      requestedInfoId: id,
      credentials: credentials(),
    };
    const of = (params: object) => refused(buyer, 'sendPaymentForm', { ...good, ...params });
    const saved = {
      _: 'inputPaymentCredentialsSaved',
      id: 'card-1',
      tmpPassword: '',
    };
    expect(await of({ formId: '0' })).toBe('FORM_ID_EMPTY');
    expect(await of({ formId: '77' })).toBe('FORM_UNSUPPORTED');
    expect(await of({ requestedInfoId: 'none' })).toBe('FORM_EXPIRED');
    expect(await of({ credentials: credentials({}) })).toBe('PAYMENT_CREDENTIALS_INVALID');
    expect(await of({ credentials: { ...saved, id: 'none' } })).toBe('PAYMENT_CREDENTIALS_INVALID');
    expect(await of({ credentials: saved })).toBe('TMP_PASSWORD_INVALID');
    expect(await of({ tipAmount: '11' })).toBe('CURRENCY_TOTAL_AMOUNT_INVALID');
    expect(
      await of({
        invoice: { _: 'inputInvoiceChatInviteSubscription', hash: 'x' },
      }),
    ).toBe('INVOICE_INVALID');
    expect(await of({ invoice: { ...invoice, msgId: 999 } })).toBe('MESSAGE_ID_INVALID');
    const nobody = { _: 'inputPeerUser', userId: 5, accessHash: '0' };
    expect(await of({ invoice: { ...invoice, peer: nobody } })).toBe('PEER_ID_INVALID');
    const receipt = { peer: aPeer(shop), msgId: invoice.msgId };
    expect(await refused(buyer, 'getPaymentReceipt', receipt)).toBe('MESSAGE_ID_INVALID');
  });

  it('who does not own the channel or bot of an ad account', async () => {
    const method = 'getStarsRevenueAdsAccountUrl';
    const [owner, other, strict] = await Promise.all([
      sandbox.anAccount('Account', { workspaceId }),
      sandbox.anAccount('Account', { workspaceId }),
      sandbox.anAccount('Account', { workspaceId, strictPeers: true }),
    ]);
    const peer = await ownChannel(owner);
    const first = await call(owner, method, { peer });
    expect(first).toEqual(await call(owner, method, { peer: { _: 'inputPeerEmpty' } }));
    const url = (account: SandboxAccount, of: object) => call(account, method, { peer: of });
    expect(await url(shop, { _: 'inputPeerSelf' })).not.toEqual(first);
    expect(await refused(other, method, { peer })).toBe('CHAT_WRITE_FORBIDDEN');
    expect(await refused(other, method, { peer: { _: 'inputPeerSelf' } })).toBe('PEER_ID_INVALID');
    expect(await refused(other, method, { peer: aPeer(shop) })).toBe('PEER_ID_INVALID');
    expect(await refused(strict, method, { peer: { _: 'inputPeerEmpty' } })).toBe('PEER_ID_INVALID');
  });
});

function newPhoto(url: string, mimeType: string) {
  return { _: 'inputWebDocument', url, size: 10, mimeType, attributes: [] };
}
