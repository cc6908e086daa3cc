import type { tl } from '@mtcute/core';
import type { TlJson } from '../../../../src/tl/tl-json.ts';
import { MessengerError } from '../../../driver.ts';
import { BACKDROPS, type Look, MODELS, PATTERNS } from './gift-catalogue.ts';
import type { ResalePrice } from './gifts.ts';

type AttributeId = TlJson<tl.TypeStarGiftAttributeId>;
type Counter = TlJson<tl.RawStarGiftAttributeCounter>;

/** Which gifts on resale are wanted: any of the given models, and any of the given patterns, and so on; null for all. */
export interface LookFilter {
  models: number[] | null;
  patterns: number[] | null;
  backdrops: number[] | null;
  starsOnly: boolean;
}

const PARTS = ['models', 'patterns', 'backdrops'] as const;

/** A resale gift's look and currency, as one word, so that gifts can be counted by look. */
export function toLook({ model, pattern, backdrop }: Look, { tonOnly }: ResalePrice): string {
  return `${model}:${pattern}:${backdrop}:${tonOnly ? 'ton' : 'stars'}`;
}

/** Converts attributes to a filter. Errors: `STARGIFT_ATTRIBUTE_INVALID`. */
export function readLookFilter(attributes: AttributeId[] = [], starsOnly = false): LookFilter {
  const filter: LookFilter = { models: null, patterns: null, backdrops: null, starsOnly };
  for (const attribute of attributes) {
    const [part, at] = placeOf(attribute);
    if (at < 0) throw new MessengerError('STARGIFT_ATTRIBUTE_INVALID');
    filter[part] ??= [];
    if (!filter[part].includes(at)) filter[part].push(at);
  }
  return filter;
}

/** Whether gifts that look like that are wanted. */
export function isWantedLook(look: string, filter: LookFilter): boolean {
  const [model, pattern, backdrop, paid] = look.split(':');
  const indexes = [model, pattern, backdrop].map(Number);
  const fits = PARTS.every((part, i) => filter[part]?.includes(indexes[i] as number) ?? true);
  return fits && !(filter.starsOnly && paid === 'ton');
}

/** How many gifts on resale have each attribute; attributes without gifts are left out. */
export function countAttributes(counts: Record<string, string>, starsOnly: boolean): Counter[] {
  const filter = readLookFilter([], starsOnly);
  const wanted = Object.entries(counts).filter(([look]) => isWantedLook(look, filter));
  const counters = (part: number, ids: AttributeId[]) =>
    ids.map((attribute, at): Counter => {
      const having = wanted.filter(([look]) => Number(look.split(':')[part]) === at);
      const count = having.reduce((sum, [, number]) => sum + Number(number), 0);
      return { _: 'starGiftAttributeCounter', attribute, count };
    });
  const all = [...counters(0, MODEL_IDS), ...counters(1, PATTERN_IDS), ...counters(2, BACKDROP_IDS)];
  return all.filter(({ count }) => count > 0);
}

const MODEL_IDS = MODELS.map(
  ({ document }): AttributeId => ({ _: 'starGiftAttributeIdModel', documentId: document.id }),
);
const PATTERN_IDS = PATTERNS.map(
  ({ document }): AttributeId => ({ _: 'starGiftAttributeIdPattern', documentId: document.id }),
);
const BACKDROP_IDS = BACKDROPS.map(
  ({ backdropId }): AttributeId => ({ _: 'starGiftAttributeIdBackdrop', backdropId }),
);

function placeOf(attribute: AttributeId): [(typeof PARTS)[number], number] {
  switch (attribute._) {
    case 'starGiftAttributeIdModel':
      return ['models', MODELS.findIndex(({ document }) => document.id === attribute.documentId)];
    case 'starGiftAttributeIdPattern':
      return ['patterns', PATTERNS.findIndex(({ document }) => document.id === attribute.documentId)];
    case 'starGiftAttributeIdBackdrop':
      return ['backdrops', BACKDROPS.findIndex(({ backdropId }) => backdropId === attribute.backdropId)];
  }
}
