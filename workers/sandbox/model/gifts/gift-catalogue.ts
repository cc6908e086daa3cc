import type { tl } from '@mtcute/core';
import type { TlJson } from '../../../../src/tl/tl-json.ts';
import { giftSticker } from './gift-stickers.ts';

/** What all gifts of one type have in common. */
export interface GiftType {
  id: string;
  title: string;
  stars: number;
  convertStars: number;
  /** What it costs to make it a collectible gift; null for a type that has none. */
  upgradeStars: number | null;
  availabilityTotal: number | null;
}

/** A gift anybody can have as often as they like. */
export const CAKE: GiftType = {
  id: '5170000000000000001',
  title: 'Cake',
  stars: 50,
  convertStars: 42,
  upgradeStars: null,
  availabilityTotal: null,
};

/** A limited gift, of which there are collectible ones. */
export const COMET: GiftType = {
  id: '5170000000000000002',
  title: 'Comet',
  stars: 200,
  convertStars: 170,
  upgradeStars: 25,
  availabilityTotal: 100_000,
};

const TYPES = [CAKE, COMET];

/** The indexes of its model, pattern and backdrop in their lists. */
export interface Look {
  model: number;
  pattern: number;
  backdrop: number;
}

type Model = TlJson<tl.RawStarGiftAttributeModel>;
type Pattern = TlJson<tl.RawStarGiftAttributePattern>;
type Backdrop = TlJson<tl.RawStarGiftAttributeBackdrop>;

export const MODELS: Model[] = [
  newModel('Ice', 0x6fc8ff, 600),
  newModel('Dust', 0xc9a06f, 300),
  newModel('Fire', 0xff6a3d, 100),
];
export const PATTERNS: Pattern[] = [
  newPattern('Rings', 500),
  newPattern('Sparks', 350),
  newPattern('Moons', 150),
];
export const BACKDROPS: Backdrop[] = [
  newBackdrop(1, 'Midnight', 0x1b2a49, 550),
  newBackdrop(2, 'Dawn', 0xb5566f, 350),
  newBackdrop(3, 'Meadow', 0x3f7d4e, 100),
];

/** The type of this id, or null. */
export function findGiftType(id: string): GiftType | null {
  return TYPES.find((type) => type.id === id) ?? null;
}

/** The type of a gift that is known to have one. */
export function giftTypeOf({ typeId }: { typeId: string }): GiftType {
  const type = findGiftType(typeId);
  if (!type) throw new TypeError(`no gift type ${typeId}`);
  return type;
}

/** The attributes of a look as TL objects. */
export function attributesOf({ model, pattern, backdrop }: Look): [Model, Pattern, Backdrop] {
  return [MODELS[model], PATTERNS[pattern], BACKDROPS[backdrop]] as [Model, Pattern, Backdrop];
}

/**
 * A random look: each model, pattern and backdrop with the probability of its rarity; `chance` returns numbers from 0 (inclusive) to 1
 * (exclusive).
 */
export function pickLook(chance: () => number): Look {
  return {
    model: pick(MODELS, chance()),
    pattern: pick(PATTERNS, chance()),
    backdrop: pick(BACKDROPS, chance()),
  };
}

function pick(attributes: { rarity: TlJson<tl.TypeStarGiftAttributeRarity> }[], chance: number): number {
  let left = chance * 1_000;
  const found = attributes.findIndex(({ rarity }) => {
    left -= rarity._ === 'starGiftAttributeRarity' ? rarity.permille : 0;
    return left < 0;
  });
  return Math.max(found, 0);
}

function newModel(name: string, color: number, permille: number): Model {
  const document = giftSticker(`Comet ${name}`, color);
  return { _: 'starGiftAttributeModel', name, document, rarity: rarityOf(permille) };
}

function newPattern(name: string, permille: number): Pattern {
  const document = giftSticker(`Pattern ${name}`, 0xffffff);
  return { _: 'starGiftAttributePattern', name, document, rarity: rarityOf(permille) };
}

function newBackdrop(backdropId: number, name: string, centerColor: number, permille: number): Backdrop {
  return {
    _: 'starGiftAttributeBackdrop',
    name,
    backdropId,
    centerColor,
    edgeColor: (centerColor >> 1) & 0x7f7f7f,
    patternColor: 0x000000,
    textColor: 0xffffff,
    rarity: rarityOf(permille),
  };
}

function rarityOf(permille: number): TlJson<tl.RawStarGiftAttributeRarity> {
  return { _: 'starGiftAttributeRarity', permille };
}
