import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../../src/ids.ts';
import { aChannel } from '../../../support/sandbox/a-channel.ts';
import { beforeCommitOf } from '../../../support/sandbox/before-commit.ts';
import { Sandbox, type SandboxAccount } from '../../../support/sandbox/sandbox.ts';

// biome-ignore lint/suspicious/noExplicitAny: gifts are of any shape
type Gift = any;

const COMET = '5170000000000000002';
const SELF = { _: 'inputPeerSelf' };

let sandbox: Sandbox;
let workspaceId: string;
let giver: SandboxAccount;
let taker: SandboxAccount;

beforeAll(async () => {
  sandbox = await Sandbox.open();
  workspaceId = newId('workspace');
  [giver, taker] = await Promise.all([
    sandbox.anAccount('Account', { workspaceId }),
    sandbox.anAccount('Account', { workspaceId }),
  ]);
});

afterAll(() => sandbox.close());

const call = (account: SandboxAccount, method: string, params: object) =>
  sandbox.call(account, `payments.${method}`, params);
const refused = (account: SandboxAccount, method: string, params: object) =>
  sandbox.refusal(account, `payments.${method}`, params);

function aPeer({ userId }: SandboxAccount) {
  return { _: 'inputPeerUser', userId, accessHash: '0' };
}

const byMessage = (msgId: number) => ({ _: 'inputSavedStarGiftUser', msgId });
const bySlug = (slug: string) => ({ _: 'inputSavedStarGiftSlug', slug });
const stars = (amount: number) => ({ _: 'starsAmount', amount: `${amount}`, nanos: 0 });
const inTon = (amount: string) => ({ _: 'starsTonAmount', amount });

async function listSaved(account: SandboxAccount, options: object = {}, peer: object = SELF): Promise<Gift> {
  return call(account, 'getSavedStarGifts', { peer, offset: '', limit: 100, ...options });
}

/** The furnished gifts: a plain one, a collectible one, and one on resale. */
async function giftsOf(account: SandboxAccount): Promise<[Gift, Gift, Gift]> {
  const { gifts } = await listSaved(account);
  return gifts.reverse();
}

async function channelOf(account: SandboxAccount) {
  const { url } = await call(account, 'getStarsRevenueAdsAccountUrl', { peer: { _: 'inputPeerEmpty' } });
  const channelId = Number(/\/account\/c(\d+)\?/.exec(url)?.[1]);
  return { _: 'inputPeerChannel', channelId, accessHash: '0' };
}

const transfer = (from: SandboxAccount, msgId: number, toId: object) =>
  call(from, 'transferStarGift', { stargift: byMessage(msgId), toId });

describe('the furnished gifts', () => {
  it('are a plain one, a collectible one and one on resale, each told of by a message', async () => {
    const account = await sandbox.anAccount('Account', { workspaceId });
    const [plain, kept, offered] = await giftsOf(account);
    expect(plain).toMatchObject({ gift: { _: 'starGift', title: 'Cake' }, convertStars: '42', msgId: 3 });
    expect(kept.gift).toMatchObject({ _: 'starGiftUnique', giftId: COMET, themeAvailable: false });
    expect(kept.gift).not.toHaveProperty('resellAmount');
    expect(kept.gift.attributes.map(({ _ }: Gift) => _)).toEqual([
      'starGiftAttributeModel',
      'starGiftAttributePattern',
      'starGiftAttributeBackdrop',
      'starGiftAttributeOriginalDetails',
    ]);
    expect(offered.gift.resellAmount).toEqual([stars(500), { _: 'starsTonAmount', amount: '2500000000' }]);
    const ids = [plain, kept, offered].map(({ msgId }) => ({ _: 'inputMessageID', id: msgId }));
    const { messages } = await sandbox.call(account, 'messages.getMessages', { id: ids });
    expect(messages.map(({ action }: Gift) => action._)).toEqual([
      'messageActionStarGift',
      'messageActionStarGiftUnique',
      'messageActionStarGiftUnique',
    ]);
    expect(messages[2].action.gift).toMatchObject({ slug: offered.gift.slug, num: offered.gift.num });
  });

  it('have pictures that can be read', async () => {
    const [plain] = await giftsOf(taker);
    const { id, accessHash, fileReference, size } = plain.gift.sticker;
    const file = await sandbox.call(taker, 'upload.getFile', {
      location: { _: 'inputDocumentFileLocation', id, accessHash, fileReference, thumbSize: '' },
      offset: 0,
      limit: 4096,
    });
    expect(Buffer.from(file.bytes, 'base64')).toHaveLength(size);
  });

  it('have no chat theme: a new account gets chatThemesNotModified', async () => {
    const account = await sandbox.anAccount('Account', { workspaceId });
    const params = { offset: '', limit: 10, hash: '0' };
    const result = await sandbox.call(account, 'account.getUniqueGiftChatThemes', params);
    expect(result).toEqual({ _: 'account.chatThemesNotModified' });
  });
});

describe('a saved gift', () => {
  it('is found whether it is on the profile or not, and hidden from others when it is not', async () => {
    const owner = await sandbox.anAccount('Account', { workspaceId });
    const [plain, kept] = await giftsOf(owner);
    const of = (account: SandboxAccount) => listSaved(account, {}, aPeer(owner));
    expect((await of(taker)).count).toBe(3);
    await call(owner, 'saveStarGift', { unsave: true, stargift: byMessage(kept.msgId) });

    const found = await call(owner, 'getSavedStarGift', {
      stargift: [byMessage(plain.msgId), byMessage(kept.msgId), bySlug(kept.gift.slug), byMessage(999)],
    });
    expect(found.gifts.map(({ unsaved }: Gift) => unsaved)).toEqual([false, true, true]);
    expect(found.count).toBe(3);
    expect((await of(owner)).count).toBe(3);
    const seen = await of(taker);
    expect(seen).toMatchObject({ count: 2 });
    expect(seen.gifts).toHaveLength(2);
    expect(seen.gifts[0]).not.toHaveProperty('msgId');
    expect((await listSaved(owner, { excludeSaved: true })).gifts[0].msgId).toBe(kept.msgId);

    const edited = (await sandbox.updatesOf(owner)).at(-1);
    expect(edited).toMatchObject({ _: 'updateEditMessage', message: { id: kept.msgId } });
    expect(edited.message.action.saved).not.toBe(true);
    await call(owner, 'saveStarGift', { stargift: byMessage(kept.msgId) });
    expect((await of(taker)).count).toBe(3);
  });

  it('is listed by kind, by worth, and page by page', async () => {
    const owner = await sandbox.anAccount('Account', { workspaceId });
    const titles = async (options: object) =>
      (await listSaved(owner, options)).gifts.map(({ gift }: Gift) => gift.title);
    expect(await titles({ excludeUnique: true })).toEqual(['Cake']);
    expect(await titles({ excludeUnlimited: true })).toEqual(['Comet', 'Comet']);
    expect(await titles({ excludeUnupgradable: true })).toEqual(['Comet', 'Comet']);
    expect(await titles({ sortByValue: true })).toEqual(['Comet', 'Comet', 'Cake']);
    expect(await titles({ excludeUnsaved: true, excludeSaved: true })).toEqual([]);
    const numbers: number[] = [];
    for (let offset: string | undefined = ''; offset !== undefined; ) {
      const page: Gift = await listSaved(owner, { limit: 1, offset });
      expect(page.count).toBe(3);
      numbers.push(...page.gifts.map(({ msgId }: Gift) => msgId));
      offset = page.nextOffset;
    }
    expect(numbers).toEqual([5, 4, 3]);
  });

  it('of a channel is found by its saved id, by who administers it only', async () => {
    const [, kept] = await giftsOf(giver);
    const peer = await channelOf(giver);
    const sent = await transfer(giver, kept.msgId, peer);
    const { savedId } = sent.updates[0].message.action;
    const stargift = { _: 'inputSavedStarGiftChat', peer, savedId };
    const found = await call(giver, 'getSavedStarGift', { stargift: [stargift] });
    expect(found.gifts).toMatchObject([{ savedId, gift: { slug: kept.gift.slug } }]);
    expect(found.gifts[0]).not.toHaveProperty('msgId');
    expect(await listSaved(giver, {}, peer)).toMatchObject({ count: 1, chatNotificationsEnabled: false });

    await call(giver, 'saveStarGift', { unsave: true, stargift });
    expect((await listSaved(taker, {}, peer)).gifts).toEqual([]);
    expect(await refused(taker, 'getSavedStarGift', { stargift: [stargift] })).toBe('STARGIFT_OWNER_INVALID');
    expect(await refused(taker, 'saveStarGift', { stargift })).toBe('STARGIFT_OWNER_INVALID');

    await call(giver, 'transferStarGift', { stargift, toId: SELF });
    const [back] = (await listSaved(giver)).gifts;
    expect(back).toMatchObject({ gift: { slug: kept.gift.slug }, msgId: expect.any(Number) });
    expect((await listSaved(giver, {}, peer)).count).toBe(0);
  });

  it('of a channel is shown or hidden by who may post there at that moment, and given away by its creator', async () => {
    const [, , offered] = await giftsOf(giver);
    const { peer, channel } = await aChannel(sandbox, giver, { broadcast: true });
    const appoint = (rights: object) =>
      sandbox.call(giver, 'channels.editAdmin', {
        channel,
        userId: { ...aPeer(taker), _: 'inputUser' },
        adminRights: { _: 'chatAdminRights', ...rights },
        rank: '',
      });
    const sent = await transfer(giver, offered.msgId, peer);
    const stargift = { _: 'inputSavedStarGiftChat', peer, savedId: sent.updates[0].message.action.savedId };
    const hiding = { unsave: true, stargift };
    const taking = { stargift, toId: SELF };
    await appoint({ deleteMessages: true });
    expect(await refused(taker, 'saveStarGift', hiding)).toBe('STARGIFT_OWNER_INVALID');
    expect(await refused(taker, 'transferStarGift', taking)).toBe('STARGIFT_OWNER_INVALID');
    await appoint({ postMessages: true });
    expect(await refused(taker, 'transferStarGift', taking)).toBe('STARGIFT_OWNER_INVALID');
    const selling = { stargift, resellAmount: stars(300) };
    expect(await refused(taker, 'updateStarGiftPrice', selling)).toBe('STARGIFT_OWNER_INVALID');
    beforeCommitOf(sandbox, 'payments.saveStarGift', () => appoint({}));
    expect(await refused(taker, 'saveStarGift', hiding)).toBe('STARGIFT_OWNER_INVALID');
    await appoint({ postMessages: true });
    await call(taker, 'saveStarGift', hiding);
    expect((await listSaved(taker, {}, peer)).gifts).toMatchObject([{ unsaved: true }]);
    await call(giver, 'transferStarGift', taking);
  });

  it('that is absent or of another is refused by name', async () => {
    const owner = await sandbox.anAccount('Account', { workspaceId });
    const [, { gift, msgId }] = await giftsOf(owner);
    const peer = await channelOf(owner);
    const get = (account: SandboxAccount, stargift: object) =>
      refused(account, 'getSavedStarGift', { stargift: [stargift] });
    const save = (stargift: object) => refused(owner, 'saveStarGift', { stargift });
    expect(await get(taker, bySlug(gift.slug))).toBe('STARGIFT_OWNER_INVALID');
    expect(await get(owner, bySlug('Comet-1'))).toBe('STARGIFT_SLUG_INVALID');
    expect(await get(owner, { _: 'inputSavedStarGiftChat', peer, savedId: '0' })).toBe('SAVED_ID_EMPTY');
    expect(await save({ _: 'inputSavedStarGiftChat', peer, savedId: '0' })).toBe('SAVED_ID_EMPTY');
    expect(await save(byMessage(999))).toBe('MESSAGE_ID_INVALID');
    const saved = { offset: '', limit: 10, peer: { _: 'inputPeerChat', chatId: 1 } };
    expect(await refused(owner, 'getSavedStarGifts', saved)).toBe('PEER_ID_INVALID');
    const collection = { ...saved, peer: SELF, collectionId: 1 };
    expect(await refused(owner, 'getSavedStarGifts', collection)).toBe('COLLECTION_ID_INVALID');
    const astray = { ...saved, peer: SELF, offset: 'astray' };
    expect(await refused(owner, 'getSavedStarGifts', astray)).toBe('OFFSET_INVALID');
    const given = (await transfer(owner, msgId, aPeer(taker))).updates[0].message;
    expect(await get(owner, byMessage(given.id))).toBe('STARGIFT_OWNER_INVALID');
    expect(await save(byMessage(given.id))).toBe('STARGIFT_OWNER_INVALID');
  });
});

describe('a transfer', () => {
  it('makes the gift another account’s, takes it off resale, and gives it a theme', async () => {
    const [from, to] = await Promise.all([
      sandbox.anAccount('Account', { workspaceId }),
      sandbox.anAccount('Account', { workspaceId }),
    ]);
    const [, kept, offered] = await giftsOf(from);
    const sent = await transfer(from, offered.msgId, aPeer(to));
    await transfer(from, kept.msgId, aPeer(to));
    expect(sent.updates[0]).toMatchObject({
      _: 'updateNewMessage',
      message: {
        out: true,
        action: { _: 'messageActionStarGiftUnique', transferred: true, fromId: { userId: from.userId } },
      },
    });
    expect((await listSaved(from)).count).toBe(1);
    const received = await listSaved(to);
    expect(received.count).toBe(5);
    const slugs = received.gifts.slice(0, 2).map(({ gift }: Gift) => gift.slug);
    expect(slugs).toEqual([kept.gift.slug, offered.gift.slug]);
    expect(received.gifts[1].gift).toMatchObject({ ownerId: { userId: to.userId }, themeAvailable: true });
    expect(received.gifts[1].gift).not.toHaveProperty('resellAmount');
    const told = (await sandbox.updatesOf(to)).filter(({ _ }) => _ === 'updateNewMessage');
    expect(told.map(({ message }) => message.id)).toEqual([received.gifts[1].msgId, received.gifts[0].msgId]);

    const themesOf = (params: object) =>
      sandbox.call(to, 'account.getUniqueGiftChatThemes', { limit: 10, offset: '', ...params });
    const themes = await themesOf({ hash: '0' });
    expect(themes.themes.map(({ gift }: Gift) => gift.slug)).toEqual(slugs);
    expect(themes.themes[0].themeSettings).toHaveLength(2);
    expect(await themesOf({ hash: themes.hash })).toEqual({ _: 'account.chatThemesNotModified' });
    const stargift = byMessage(received.gifts[0].msgId);
    let { hash } = themes;
    // Each of these prices is 500 Stars.
    for (const resellAmount of [stars(500), inTon('2500000000'), inTon('2500000001')]) {
      await call(to, 'updateStarGiftPrice', { stargift, resellAmount });
      const priced = await themesOf({ hash });
      expect(priced).toMatchObject({ _: 'account.chatThemes', themes: [{ gift: { slug: slugs[0] } }, {}] });
      hash = priced.hash;
    }
    const first = await themesOf({ hash: '0', limit: 1 });
    const second = await themesOf({ hash: '0', limit: 1, offset: first.nextOffset });
    expect([first, second].map((page) => page.themes[0].gift.slug)).toEqual(slugs);
    expect(second).not.toHaveProperty('nextOffset');

    expect(await refused(from, 'getSavedStarGift', { stargift: [bySlug(slugs[0])] })).toBe(
      'STARGIFT_OWNER_INVALID',
    );
    await transfer(to, received.gifts[0].msgId, aPeer(from));
    expect((await themesOf({ hash: themes.hash })).themes).toHaveLength(1);
  });

  it('gives nothing to a channel that is deleted meanwhile', async () => {
    const owner = await sandbox.anAccount('Account', { workspaceId });
    const [, { msgId }] = await giftsOf(owner);
    const { peer, channel } = await aChannel(sandbox, owner, { broadcast: true });
    const remove = () => sandbox.call(owner, 'channels.deleteChannel', { channel });
    beforeCommitOf(sandbox, 'payments.transferStarGift', remove);
    const giving = { stargift: byMessage(msgId), toId: peer };
    expect(await refused(owner, 'transferStarGift', giving)).toBe('CHANNEL_PRIVATE');
    expect((await listSaved(owner)).count).toBe(3);
  });

  it('is refused by name', async () => {
    const owner = await sandbox.anAccount('Account', { workspaceId });
    const [plain, kept] = await giftsOf(owner);
    const [theirs] = (await listSaved(taker)).gifts;
    const peer = await channelOf(owner);
    const of = (stargift: object, toId: object = aPeer(taker)) =>
      refused(owner, 'transferStarGift', { stargift, toId });
    const chat = { _: 'inputSavedStarGiftChat', peer };
    expect(await of(byMessage(999))).toBe('MESSAGE_ID_INVALID');
    expect(await of(byMessage(plain.msgId))).toBe('STARGIFT_NOT_UNIQUE');
    expect(await of(bySlug(theirs.gift.slug))).toBe('STARGIFT_NOT_OWNER');
    expect(await of({ ...chat, savedId: '0' })).toBe('SAVED_ID_EMPTY');
    expect(await of({ ...chat, savedId: '7' })).toBe('STARGIFT_NOT_FOUND');
    expect(await of({ ...chat, savedId: '7', peer: await channelOf(taker) })).toBe('STARGIFT_OWNER_INVALID');
    expect(await of(byMessage(kept.msgId), SELF)).toBe('STARGIFT_PEER_INVALID');
    expect(await of(byMessage(kept.msgId), { _: 'inputPeerChat', chatId: 1 })).toBe('PEER_ID_INVALID');
    await transfer(owner, kept.msgId, aPeer(taker));
    expect(await of(byMessage(kept.msgId))).toBe('STARGIFT_OWNER_INVALID');
  });
});

describe('gifts on resale', () => {
  const list = (account: SandboxAccount, options: object = {}): Promise<Gift> =>
    call(account, 'getResaleStarGifts', { giftId: COMET, offset: '', limit: 100, ...options });
  const numbers = (page: Gift) => page.gifts.map(({ num }: Gift) => num);
  const priceOf = (gift: Gift) => Number(gift.resellAmount[0].amount);
  const setPrice = (account: SandboxAccount, { msgId }: Gift, resellAmount: object) =>
    call(account, 'updateStarGiftPrice', { stargift: byMessage(msgId), resellAmount });

  async function aMarket() {
    const id = newId('workspace');
    const sellers = await Promise.all([1, 2, 3].map(() => sandbox.anAccount('Account', { workspaceId: id })));
    const gifts = await Promise.all(sellers.map(giftsOf));
    return { sellers, gifts } as {
      sellers: [SandboxAccount, SandboxAccount, SandboxAccount];
      gifts: [Gift, Gift, Gift][];
    };
  }

  it('are sorted by price, by number, or by the last change of price, newest first', async () => {
    const { sellers, gifts } = await aMarket();
    const [seller, other, buyer] = sellers;
    const [mine, theirs] = [gifts[0]?.[1], gifts[1]?.[1]];
    expect((await list(buyer)).count).toBe(3);
    await setPrice(seller, mine, stars(300));
    const changed = await setPrice(other, theirs, stars(900));
    expect(changed.updates[0]).toMatchObject({
      _: 'updateEditMessage',
      message: { id: theirs.msgId, action: { gift: { resellAmount: [{ amount: '900' }, {}] } } },
    });

    const newest = await list(buyer);
    expect(newest.count).toBe(5);
    expect(numbers(newest).slice(0, 2)).toEqual([theirs.gift.num, mine.gift.num]);
    const byPrice = await list(buyer, { sortByPrice: true });
    expect(byPrice.gifts.map(priceOf)).toEqual([300, 500, 500, 500, 900]);
    const byNumber = numbers(await list(buyer, { sortByNum: true }));
    expect(byNumber).toEqual(byNumber.toSorted((a: number, b: number) => a - b));

    await setPrice(seller, mine, stars(301));
    expect(numbers(await list(buyer))[0]).toBe(mine.gift.num);
    const same = await setPrice(other, theirs, stars(900));
    expect(same.updates).toEqual([]);
    expect(numbers(await list(buyer))[0]).toBe(mine.gift.num);
    await setPrice(seller, mine, stars(0));
    expect(await list(buyer)).toMatchObject({ count: 4 });
    expect(numbers(await list(buyer))).not.toContain(mine.gift.num);
  });

  it('are walked page by page, also when one leaves meanwhile', async () => {
    const { sellers, gifts } = await aMarket();
    const [seller] = sellers;
    for (const order of [{}, { sortByPrice: true }, { sortByNum: true }]) {
      const all = numbers(await list(seller, order));
      const first = await list(seller, { ...order, limit: 2 });
      const second = await list(seller, { ...order, limit: 2, offset: first.nextOffset });
      expect([...numbers(first), ...numbers(second)]).toEqual(all);
      expect(second).not.toHaveProperty('nextOffset');
      expect(first.counters.length).toBeGreaterThan(0);
      expect(second).not.toHaveProperty('counters');
    }
    const first = await list(seller, { limit: 1 });
    const [at] = numbers(first);
    const owner = gifts.findIndex(([, , offered]) => offered.gift.num === at);
    await setPrice(sellers[owner] as SandboxAccount, gifts[owner]?.[2], stars(0));
    expect(numbers(await list(seller, { limit: 5, offset: first.nextOffset }))).toEqual(
      numbers(await list(seller)),
    );
  });

  it('are filtered by attributes, and counted by them', async () => {
    const { sellers } = await aMarket();
    const all = await list(sellers[0]);
    const [model] = all.gifts[0].attributes;
    const attribute = { _: 'starGiftAttributeIdModel', documentId: model.document.id };
    const alike = all.gifts.filter(({ attributes }: Gift) => attributes[0].name === model.name);
    const found = await list(sellers[0], { attributes: [attribute] });
    expect(numbers(found)).toEqual(numbers({ gifts: alike }));
    expect(found.count).toBe(alike.length);
    const counter = all.counters.find((one: Gift) => one.attribute.documentId === model.document.id);
    expect(counter.count).toBe(alike.length);
    const backdrops = all.counters.filter((one: Gift) => one.attribute._ === 'starGiftAttributeIdBackdrop');
    expect(backdrops.reduce((sum: number, { count }: Gift) => sum + count, 0)).toBe(all.count);
    expect(all).not.toHaveProperty('attributes');
    const described = await list(sellers[0], { attributesHash: '0' });
    expect(described.attributes).toHaveLength(9);
    const again = await list(sellers[0], { attributesHash: described.attributesHash });
    expect(again).not.toHaveProperty('attributes');
  });

  it('for TON only are left out where only Stars are asked for', async () => {
    const { sellers, gifts } = await aMarket();
    const [seller] = sellers;
    const gift = gifts[0]?.[2];
    await setPrice(seller, gift, { _: 'starsTonAmount', amount: '5000000000' });
    const [newest] = (await list(seller)).gifts;
    expect(newest).toMatchObject({ num: gift.gift.num, resaleTonOnly: true });
    const inStars = await list(seller, { starsOnly: true });
    expect(inStars.count).toBe(2);
    expect(numbers(inStars)).not.toContain(gift.gift.num);
  });

  it('are refused by name', async () => {
    const [plain, kept, offered] = await giftsOf(taker);
    const of = (options: object) =>
      refused(taker, 'getResaleStarGifts', { giftId: COMET, offset: '', limit: 10, ...options });
    expect(await of({ giftId: '7' })).toBe('STARGIFT_INVALID');
    expect(await of({ attributes: [{ _: 'starGiftAttributeIdBackdrop', backdropId: 99 }] })).toBe(
      'STARGIFT_ATTRIBUTE_INVALID',
    );
    expect(await of({ offset: 'astray' })).toBe('OFFSET_INVALID');
    expect(await of({ limit: -1 })).toBe('LIMIT_INVALID');
    const both = { giftId: COMET, offset: '', limit: 10, sortByPrice: true, sortByNum: true };
    const answer = await sandbox.answer(taker, 'payments.getResaleStarGifts', both);
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'invalid_params', errors: [{ pointer: '/params/sortByNum' }] },
    });
    const price = (stargift: object, amount = 500) =>
      refused(taker, 'updateStarGiftPrice', { stargift, resellAmount: stars(amount) });
    expect(await price(byMessage(999))).toBe('STARGIFT_NOT_FOUND');
    expect(await price(byMessage(plain.msgId))).toBe('STARGIFT_NOT_UNIQUE');
    expect(await price(byMessage(kept.msgId), 1)).toBe('GIFT_STARS_INVALID');
    expect(await price(byMessage(offered.msgId), 100_001)).toBe('GIFT_STARS_INVALID');
    const peer = await channelOf(taker);
    expect(await price({ _: 'inputSavedStarGiftChat', peer, savedId: '0' })).toBe('SAVED_ID_EMPTY');
  });
});
