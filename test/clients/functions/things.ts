import { InputMedia, Long, type StarGiftUnique } from '@mtcute/core';
import * as m from '@mtcute/core/methods.js';
import { expect } from 'vitest';
import { all, FILE, type Use, type World } from '../../support/clients/world.ts';

const document = () => InputMedia.document(FILE, { fileName: 'notes.txt', fileMime: 'text/plain' });
const sent = async (w: World) => (await m.sendMedia(w.ada, w.toBob, document())).media as never;
const file = async (w: World) => ((await sent(w)) as { inputDocument: never }).inputDocument;
const gifts = (w: World) => m.getSavedStarGifts(w.ada, { owner: 'me' });
const unique = async (w: World) => (await gifts(w)).find(({ gift }) => gift.raw._ === 'starGiftUnique');
const gift = async (w: World) => ({ message: (await unique(w))?.messageId ?? 0 });
const slug = async (w: World) => ((await unique(w))?.gift as StarGiftUnique | undefined)?.slug ?? '';
const catalogued = async (w: World) =>
  (await gifts(w)).find(({ gift: { raw } }) => raw._ === 'starGift')?.gift.raw.id ?? Long.ZERO;
const set = { _: 'inputStickerSetShortName', shortName: 'set' } as const;
const BOLD = { _: 'messageEntityBold', offset: 0, length: 3 } as const;
const sticker = { file: FILE, emojis: '👍' };

const isFile = (parts: Uint8Array[]) => expect(Buffer.concat(parts).equals(FILE)).toBe(true);

export const things: Record<string, Use> = {
  downloadAsBuffer: async (w) => isFile([await m.downloadAsBuffer(w.ada, await sent(w))]),
  downloadChunk: async (w) =>
    isFile([await m.downloadChunk(w.ada, { location: await sent(w), offset: 0, limit: 4_096 })]),
  downloadAsIterable: async (w) => isFile(await all(m.downloadAsIterable(w.ada, await sent(w)))),
  downloadAsStream: async (w) => isFile(await all(m.downloadAsStream(w.ada, await sent(w)) as never)),
  uploadFile: async (w) =>
    expect((await m.uploadFile(w.ada, { file: FILE, fileName: 'notes.txt' })).size).toBe(FILE.length),
  uploadMedia: async (w) =>
    expect(await m.uploadMedia(w.ada, document(), { peer: w.toBob })).toMatchObject({ type: 'document' }),
  getSavedStarGifts: async (w) => expect(await gifts(w)).toHaveLength(3),
  getSavedStarGiftsById: async (w) => {
    const { message } = await gift(w);
    expect(await m.getSavedStarGiftsById(w.ada, { message })).toMatchObject([{ messageId: message }]);
  },
  iterSavedStarGifts: async (w) =>
    expect(await all(m.iterSavedStarGifts(w.ada, { owner: 'me', chunkSize: 1 }))).toHaveLength(3),
  acceptStarGift: async (w) => {
    const { message } = await gift(w);
    await m.acceptStarGift(w.ada, { gift: { message }, action: 'hide' });
    expect((await gifts(w)).find(({ messageId }) => messageId === message)?.unsaved).toBe(true);
  },
  buyResaleGift: async (w) => m.buyResaleGift(w.ada, { slug: await slug(w), recipient: 'me' }),
  // Of plain gifts none is on resale.
  getStarGiftResaleOptions: async (w) => {
    const options = await m.getStarGiftResaleOptions(w.ada, { giftId: await catalogued(w) });
    expect(options).toHaveLength(0);
  },
  getStarGiftUpgradeOptions: async (w) => m.getStarGiftUpgradeOptions(w.ada, await catalogued(w)),
  getStarGiftValue: async (w) => m.getStarGiftValue(w.ada, { slug: await slug(w) }),
  getStarGiftWithdrawalUrl: async (w) =>
    m.getStarGiftWithdrawalUrl(w.ada, { gift: await gift(w), password: 'a' }),
  getUniqueStarGift: async (w) => m.getUniqueStarGift(w.ada, await slug(w)),
  togglePinnedStarGifts: async (w) => m.togglePinnedStarGifts(w.ada, { gifts: await gift(w), peer: 'me' }),
  prepayStarGiftUpgrade: (w) => m.prepayStarGiftUpgrade(w.ada, { peer: 'me', hash: 'a' }),
  resolveStarGiftOffer: (w) => m.resolveStarGiftOffer(w.ada, { message: 1, action: 'decline' }),
  sendStarGiftOffer: async (w) =>
    m.sendStarGiftOffer(w.ada, { peerId: w.toBob, slug: await slug(w), price: 5, duration: 86_400 }),
  sendStarGift: async (w) => m.sendStarGift(w.ada, { peerId: w.toBob, gift: await catalogued(w) }),
  setResaleStarGiftPrice: async (w) => {
    await m.setResaleStarGiftPrice(w.ada, { gift: await gift(w), price: 500 });
    expect((await unique(w))?.gift.raw).toMatchObject({ resellAmount: [{ _: 'starsAmount' }, {}] });
  },
  transferStarGift: async (w) => {
    const { message } = await gift(w);
    await m.transferStarGift(w.ada, { gift: { message }, recipient: w.toBob });
    expect((await gifts(w)).map(({ messageId }) => messageId)).not.toContain(message);
  },
  upgradeStarGift: async (w) => m.upgradeStarGift(w.ada, { gift: await gift(w) }),
  getStarGiftOptions: (w) => m.getStarGiftOptions(w.ada),
  getStoriesById: (w) => m.getStoriesById(w.ada, 'me', 1),
  getPeerStories: async (w) => expect((await m.getPeerStories(w.ada, 'me')).stories).toEqual([]),
  getAllStories: (w) => m.getAllStories(w.ada),
  iterAllStories: (w) => all(m.iterAllStories(w.ada)),
  getProfileStories: (w) => m.getProfileStories(w.ada, 'me'),
  iterProfileStories: (w) => all(m.iterProfileStories(w.ada, 'me')),
  getStoriesInteractions: (w) => m.getStoriesInteractions(w.ada, 'me', 1),
  getStoryLink: (w) => m.getStoryLink(w.ada, 'me', 1),
  getStoryViewers: (w) => m.getStoryViewers(w.ada, 'me', 1),
  iterStoryViewers: (w) => all(m.iterStoryViewers(w.ada, 'me', 1)),
  hideMyStoriesViews: (w) => m.hideMyStoriesViews(w.ada, { past: true }),
  incrementStoriesViews: (w) => m.incrementStoriesViews(w.ada, w.toBob, 1),
  readStories: (w) => m.readStories(w.ada, w.toBob, 1),
  sendStoryReaction: (w) => m.sendStoryReaction(w.ada, { peerId: w.toBob, storyId: 1, reaction: '👍' }),
  sendStory: (w) => m.sendStory(w.ada, { media: document() }),
  // Its caption and its entities share a flag, and mtcute does not write one without the other.
  editStory: (w) => m.editStory(w.ada, { id: 1, caption: { text: 'New', entities: [BOLD] } }),
  deleteStories: (w) => m.deleteStories(w.ada, { ids: 1 }),
  canSendStory: (w) => m.canSendStory(w.ada, 'me'),
  togglePeerStoriesArchived: (w) => m.togglePeerStoriesArchived(w.ada, w.toBob, true),
  toggleStoriesPinned: (w) => m.toggleStoriesPinned(w.ada, { ids: 1, pinned: true }),
  canApplyBoost: (w) => m.canApplyBoost(w.ada),
  getMyBoostSlots: (w) => m.getMyBoostSlots(w.ada),
  createBusinessChatLink: (w) => m.createBusinessChatLink(w.ada, 'Hello'),
  editBusinessChatLink: (w) => m.editBusinessChatLink(w.ada, 'abc', { text: 'Hello' }),
  deleteBusinessChatLink: (w) => m.deleteBusinessChatLink(w.ada, 'abc'),
  getBusinessChatLinks: (w) => m.getBusinessChatLinks(w.ada),
  getBusinessConnection: (w) => m.getBusinessConnection(w.bot, 'abc'),
  getStarsTransactions: (w) => m.getStarsTransactions(w.ada, 'me'),
  iterStarsTransactions: (w) => all(m.iterStarsTransactions(w.ada, 'me')),
  setBusinessIntro: (w) => m.setBusinessIntro(w.ada, { title: 'Hello' }),
  setBusinessWorkHours: (w) => m.setBusinessWorkHours(w.ada, null),
  addStickerToSet: (w) => m.addStickerToSet(w.ada, set, sticker),
  createStickerSet: (w) =>
    m.createStickerSet(w.ada, { owner: 'me', title: 'Set', shortName: 'set', stickers: [sticker] }),
  deleteStickerFromSet: async (w) => m.deleteStickerFromSet(w.ada, await file(w)),
  moveStickerInSet: async (w) => m.moveStickerInSet(w.ada, await file(w), 1),
  replaceStickerInSet: async (w) => m.replaceStickerInSet(w.ada, await file(w), sticker),
  setStickerSetThumb: async (w) => m.setStickerSetThumb(w.ada, set, FILE),
  getCustomEmojis: (w) => m.getCustomEmojis(w.ada, [Long.ONE]),
  getCustomEmojisFromMessages: async (w) => m.getCustomEmojisFromMessages(w.ada, [await w.text()]),
  getInstalledStickers: (w) => m.getInstalledStickers(w.ada),
  getMyStickerSets: (w) => m.getMyStickerSets(w.ada),
  getStickerSet: (w) => m.getStickerSet(w.ada, set),
};
